/** For agents that have the todo tool. */
export const taskPlanning = `For work of three or more steps keep a list with todo: write it before you begin, one item in_progress at a time, an item done only when its result was checked. No list for less.`
