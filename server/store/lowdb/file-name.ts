/**
 * The file name of an id (1–64 of `A-Z a-z 0-9 _ -`, D01). Ids that differ only in case must not share a file on file
 * systems that ignore case, and `con` or `nul` must not name a device on Windows: upper case becomes `=` and the lower
 * case letter, and every name begins with `=-`. Neither can occur in an id.
 */
export function fileNameOf(id: string): string {
  return `=-${id.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}`;
}

/** The id of a file name; undefined for a name that is none of ours. */
export function idOf(fileName: string): string | undefined {
  const id = fileName.slice(2).replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return fileNameOf(id) === fileName ? id : undefined;
}
