/** The console: Swagger UI with the contract, in one file that loads nothing. Redoc has none. */
import { filled } from '../../../clients/samples/layout.ts';
import { isObject, type Json, mapObjects } from './json.ts';

/** The parts of the page of the console. */
export interface TryParts {
  /** The URL of the icon of the page. */
  icon: string;
  /** The text of try.html. */
  template: string;
  style: string;
  /** The page's own script. */
  script: string;
  /** Gives the text of a file of swagger-ui-dist. */
  part: (name: string) => string;
}

export function tryPage(document: Json, { icon, template, style, script, part }: TryParts): string {
  const info = document['info'] as { title: string };
  const spec = JSON.stringify(forConsole(document)).replaceAll('<', String.raw`\u003c`);
  const licences = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt']
    .map(part)
    .join('\n')
    .replaceAll('--', '- -');
  return filled(template, {
    title: info.title,
    icon,
    licences,
    style: part('swagger-ui.css') + style,
    console: part('swagger-ui-bundle.js'),
    script,
    spec,
  });
}

/** The contract without texts that the docs have, and without values that a request cannot use. */
export function forConsole(document: Json): Json {
  const info = document['info'] as Json;
  const names = (document['tags'] as Json[]).map(({ name }) => ({ name }));
  const named = { ...document, info: { ...info, summary: '', description: '' }, tags: names };
  return mapObjects(named, (object) => {
    const isParameter = typeof object['name'] === 'string' && typeof object['in'] === 'string';
    return isParameter ? withoutStaleValue(object) : object;
  });
}

/** Parameters whose values nobody can choose. */
const MADE_BY_THE_SERVICE = /^(?:edge|route)_id$/;

/**
 * Swagger UI sends the example of a parameter: a cursor that was never given out is refused, and an
 * edge of the docs does not exist. Its default is what an empty field means.
 */
function withoutStaleValue(parameter: Json): Json {
  const { example: _, examples: __, schema, ...rest } = parameter;
  const isMade = MADE_BY_THE_SERVICE.test(String(parameter['name']));
  const isKept = parameter['required'] === true && !isMade;
  if (isKept) {
    return parameter;
  }
  const hasDefault = isObject(schema) && schema['default'] !== undefined;
  if (!hasDefault) {
    return { ...rest, schema };
  }
  const { default: value, ...shown } = schema;
  const description = `${String(rest['description']).trimEnd()}\n\nIf empty: ${String(value)}.`;
  return { ...rest, description, schema: shown };
}
