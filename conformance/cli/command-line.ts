/** The words of a command line as options and a URL, with messages that name the option. */
import { parseArgs } from 'node:util';
import { OptionError } from '../engine/run/known-failures.ts';
import { type OptionName, OPTIONS } from './option-table.ts';

/** @throws OptionError for a word that cannot be read; the message repeats no value */
export function parseCommandLine(args: string[]) {
  return parseArgs({ args: withJoinedValues(args), options: OPTIONS, allowPositionals: true });
}

interface OptionToken {
  rawName: string;
  name: string;
  value: string | undefined;
  /** Whether the value is in the same word, behind `=`. */
  inlineValue: boolean | undefined;
}

/**
 * Each option in one word with its value: Node takes a value that begins with `-`, such as a
 * negative number, for another option.
 */
function withJoinedValues(args: string[]): string[] {
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option') {
      words.push(joined(token));
    } else {
      words.push(token.kind === 'positional' ? token.value : '--');
    }
  }
  return words;
}

function joined(token: OptionToken): string {
  const { rawName, name, value, inlineValue: isInline = false } = token;
  if (!isOptionName(name) || rawName !== `--${name}`) {
    throw new OptionError(`there is no option ${rawName} (see --help)`);
  }
  const option = OPTIONS[name];
  if (option.type === 'boolean') {
    if (value !== undefined) {
      throw new OptionError(`${rawName} takes no value`);
    }
    return rawName;
  }
  if (value === undefined) {
    throw new OptionError(`${rawName} needs a value (${option.value}; see --help)`);
  }
  if (!isInline && isOption(value)) {
    const form = `one that begins with - is written ${rawName}=${option.value}`;
    throw new OptionError(`${rawName} needs a value (${option.value}); ${form}`);
  }
  return `${rawName}=${value}`;
}

const isOptionName = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name);

const NEGATIVE_NUMBER = /^-\.?\d/;

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-' && !NEGATIVE_NUMBER.test(word);
}
