/** A path as one line of output: quoted when it contains something that could pass for more than a name. */
export const showPath = (path: string): string => (/[\p{Cc}\p{Cf}]/u.test(path) ? JSON.stringify(path) : path)
