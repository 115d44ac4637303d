/** About four characters of English or code are a token; a little is added because guessing low is the costly mistake. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 3.8)
