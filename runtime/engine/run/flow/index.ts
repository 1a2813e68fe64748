/** How steps follow one another: frames, variables, concurrent branches, and what stops them. */
export {}
