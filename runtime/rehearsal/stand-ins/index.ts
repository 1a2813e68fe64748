/**
 * What stands in for the outside during a rehearsal: answers to calls and scripts, people, the
 * clock, and the caller of a sub-playbook.
 */
