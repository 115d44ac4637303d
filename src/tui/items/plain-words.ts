/** A line of Markdown without its marks, for where it is shown as it is. */
export const plainWords = (line: string): string =>
  line
    .replace(/^\s*(?:#{1,6}|>)\s+/, '')
    .replaceAll(/(\*\*|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/`([^`]+)`/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
