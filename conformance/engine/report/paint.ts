/** Colours of a terminal, where it has any. */

const SGR = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

export type Paint = (style: keyof typeof SGR, text: string) => string;

export function painter(colour: boolean): Paint {
  return (style, text) => (colour && text !== '' ? `\u001b[${SGR[style]}m${text}\u001b[0m` : text);
}
