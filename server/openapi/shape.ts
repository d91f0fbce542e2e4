/** Whether a value that is not a request, such as a file, has the shape of a schema. */
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject } from './document.ts';
import { contractFormats } from './formats.ts';

/**
 * @returns the first error in one line, with its place; undefined if there is none. It never quotes
 * the value that broke the rule, which may be a secret.
 */
export type ShapeCheck = (value: unknown) => string | undefined;

/**
 * @param schema may have references to the components of the document
 * @param whole names the value itself in messages, such as `the file`
 */
export function compileShape(document: JsonObject, schema: JsonObject, whole: string): ShapeCheck {
  const ajv = new Ajv2020({
    // The length and the number of items come first: nothing is compiled that is refused for them.
    allErrors: false,
    strict: false,
    verbose: true,
    formats: contractFormats(document),
  });
  addFormats.default(ajv, { mode: 'full' });
  const validate = ajv.compile({ components: document['components'], ...schema });
  return (value) => {
    const [error] = validate(value) ? [] : (validate.errors ?? []);
    return error && `${error.instancePath || whole} ${ruleOf(error)}`;
  };
}

/** The beginning of a long name is enough to find it. */
const MOST_OF_NAME = 100;

function ruleOf({ message, params, keyword, parentSchema = {} }: ErrorObject): string {
  const { 'x-pattern-description': description, 'x-max-bytes': bytes } = parentSchema;
  if (keyword === 'pattern' && description !== undefined) {
    return `must be ${String(description)}`;
  }
  if (keyword === 'format' && bytes !== undefined) {
    return `must have at most ${String(bytes)} bytes of UTF-8`;
  }
  const property: unknown = params['additionalProperty'];
  const name = JSON.stringify(String(property).slice(0, MOST_OF_NAME));
  return property === undefined ? String(message) : `${message}: ${name}`;
}
