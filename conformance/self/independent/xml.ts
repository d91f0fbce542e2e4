/** Whether a text is a well-formed XML document without a document type, and what its root is called. */
import { SaxesParser } from 'saxes';

class Malformed extends Error {}

/** Undefined for a text that is no such document. */
export function rootOf(text: string): string | undefined {
  let root: string | undefined;
  const parser = new SaxesParser();
  const refuse = () => {
    throw new Malformed();
  };
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name }) => (root ??= name));
  try {
    parser.write(text).close();
    return root;
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
