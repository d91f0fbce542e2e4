/** The text of `--help`: two columns within the width of a terminal. */
export interface HelpEntry {
  /** With its argument, such as `--port N`. */
  flag: string;
  text: string;
  /** On a line below the text. */
  note?: string;
}

const WIDTH = 100;
/** The width of the column of the flags. */
const LEFT = 28;

/** A flag that is too long for its column stands on a line above its text. */
export function helpLines({ flag, text, note }: HelpEntry): string[] {
  const indented = `  ${flag}`;
  const lines = wrapped(text, WIDTH - LEFT);
  if (note !== undefined) {
    lines.push(note);
  }
  const [first = '', ...others] = lines;
  const right = others.map((line) => ' '.repeat(LEFT) + line);
  if (indented.length < LEFT) {
    return [indented.padEnd(LEFT) + first, ...right];
  }
  return [indented, ' '.repeat(LEFT) + first, ...right];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
