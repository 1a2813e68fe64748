/** Values in a run: templates and conditions, how large a value may be, and why a value is missing. */
export {}
