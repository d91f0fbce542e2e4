/** A character that has a meaning in a regular expression. */
const SYNTAX = /[.*+?^${}()|[\]\\]/g;

/** The source of a regular expression that matches the text itself. */
export const escapeRegExp = (text: string): string => text.replaceAll(SYNTAX, String.raw`\$&`);
