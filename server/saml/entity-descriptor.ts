/**
 * Judges the metadata of an identity provider (D26): well-formed XML whose root is EntityDescriptor. The parser reads no
 * DTD, expands no entity of its own and asks no network; a document that brings a DTD is refused.
 */
import { SaxesParser } from 'saxes';

/** What is wrong, and where; undefined when nothing is. Never repeats the document. */
export function entityDescriptorFault(xml: string): string | undefined {
  let fault: string | undefined;
  // The first fault is all that is told: a document may have as many as it has characters.
  const stop = (found: string) => {
    fault = found;
    throw new Found();
  };
  let depth = 0;
  let root: string | undefined;
  const parser = new SaxesParser();
  const at = () => `line ${parser.line}, column ${parser.column}`;
  parser.on('error', (error) => {
    // `1:5: text`; the text may name what it met, which is the client's own and is omitted.
    stop(
      `must be well-formed XML: ${error.message
        .replace(/^\d+:\d+: /, '')
        .replace(/[:"'].*$/s, '')
        .trim()} (${at()})`,
    );
  });
  parser.on('doctype', () => {
    stop(`must not have a document type declaration (${at()})`);
  });
  parser.on('opentag', ({ name }) => {
    if (depth++ > 0) return;
    root ??= name.slice(name.indexOf(':') + 1);
    if (root !== 'EntityDescriptor') stop(`must have the root element EntityDescriptor (${at()})`);
  });
  parser.on('closetag', () => {
    depth--;
  });
  try {
    parser.write(xml).close();
  } catch (error) {
    if (!(error instanceof Found)) throw error;
  }
  return fault;
}

/** Ends the parser. */
class Found extends Error {}
