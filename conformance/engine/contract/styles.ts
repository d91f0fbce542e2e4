/** The separators between the parts of a value that is one text (OpenAPI 3.1, 4.8.12.2). */

/** A style that only Swagger 2.0 has: `tsv`. */
export const TAB_DELIMITED = 'tabDelimited';

const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  [TAB_DELIMITED]: '\t',
};

/** The separator of a style that is not exploded; a comma for all that name no other one. */
export const separatorOfStyle = (style: string): string => SEPARATORS[style] ?? ',';
