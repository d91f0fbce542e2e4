/** Percent-encoded texts, such as segments of paths. */

/** The decoded text; the text itself if it is not percent-encoded as a URI is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
