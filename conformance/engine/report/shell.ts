/** Words and commands of a POSIX shell. */
import { gzipSync } from 'node:zlib';

const PLAIN_WORD = /^[\w./:=@%+,-]+$/;

/** A text as one word. */
export function quote(text: string): string {
  if (PLAIN_WORD.test(text)) {
    return text;
  }
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Bytes that a terminal does not show are written as their numbers; more bytes than these are
 * packed.
 */
const MOST_ESCAPED = 2_000;

/** Bytes that `printf` does not write as they are. */
const ESCAPED_BYTES = /[^ -~]|[\\%]/g;

/** A command that writes these bytes. */
export function printfOf(bytes: Buffer): string {
  if (bytes.length > MOST_ESCAPED) {
    const packed = gzipSync(bytes).toString('base64');
    return `printf %s ${quote(packed)} | base64 -d | gunzip`;
  }
  const text = bytes.toString('latin1').replaceAll(ESCAPED_BYTES, escapeByte);
  return `printf ${quote(text)}`;
}

function escapeByte(character: string): string {
  if (character === '\r') {
    return String.raw`\r`;
  }
  if (character === '\n') {
    return String.raw`\n`;
  }
  const octal = character.charCodeAt(0).toString(8);
  return `\\${octal.padStart(3, '0')}`;
}
