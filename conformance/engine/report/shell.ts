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

/** The beginning of a call of the function that `REPEAT` defines. */
export const REPEAT_CALL = '$(repeat ';

/** A character many times: `repeat a 4096`. */
export const REPEAT = String.raw`repeat() { printf "%$2s" '' | tr ' ' "$1"; }`;

/** One character, of those that `tr` takes for themselves, so often that nobody counts it. */
const LONG_RUN = /([\w{}])\1{199,}/g;

/** A text as one word in which long runs of one character are generated. */
export function quoteInShort(text: string): string {
  let word = '';
  let end = 0;
  for (const { 0: run, 1: character = '', index } of text.matchAll(LONG_RUN)) {
    word += quotePart(text.slice(end, index));
    word += `"${REPEAT_CALL}${quote(character)} ${run.length})"`;
    end = index + run.length;
  }
  return end === 0 ? quote(text) : word + quotePart(text.slice(end));
}

const quotePart = (text: string): string => (text === '' ? '' : quote(text));

/** The length of the word that a text becomes. */
export const lengthInShort = (text: string): number => text.replaceAll(LONG_RUN, REPEAT).length;

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
