/** Files over the bound of lines, each with the reason why it is one thing all the same. */
export const longFiles: Readonly<Record<string, string>> = {};
