/** Contracts of Swagger 2.0, converted to OpenAPI 3.1 by a library. */
import { supported } from './keywords.ts';
import { decode } from './percent-encoding.ts';
import { isObject, referenced, valueAt, walk } from './pointers.ts';
import { TAB_DELIMITED } from './styles.ts';

export const isSwagger2 = (document: unknown): document is Record<string, unknown> =>
  isObject(document) && /^2(\.0)?$/.test(String(document['swagger']));

/**
 * The contract as OpenAPI 3.1. The given document stays as it is.
 * @throws Error for a document that cannot be converted
 */
export async function convertedFromSwagger2(
  original: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  // The converter changes what it is given, and lines are found by the objects of the original.
  const document = structuredClone(original);
  // It takes a while to load, and few contracts need it.
  const { upgrade } = await import('@scalar/openapi-upgrader');
  // The converter asks for the text, and `swagger: 2.0` is a number in YAML.
  document['swagger'] = '2.0';
  moveTargets(document);
  inlineBodyParameters(document);
  describeLists(document);
  describeFiles(document);
  allowNullInChoices(document);
  return upgrade(document, '3.1') as Record<string, unknown>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/**
 * The converter writes a reference to a body or to a field of a form as a reference to a parameter.
 */
function inlineBodyParameters(document: Record<string, unknown>): void {
  const holders = [...pathItemsIn(document), ...operationsIn(document)];
  for (const holder of holders) {
    if (Array.isArray(holder['parameters'])) {
      holder['parameters'] = holder['parameters'].map((one) => withoutReference(document, one));
    }
  }
}

type Json = Record<string, unknown>;

const pathItemsIn = (document: Json): Json[] =>
  Object.values(Object(document['paths'])).filter(isObject);

const operationsIn = (document: Json): Json[] =>
  pathItemsIn(document).flatMap((item) => METHODS.map((method) => item[method]).filter(isObject));

function withoutReference(document: unknown, parameter: unknown): unknown {
  const { $ref } = Object(parameter) as { $ref?: unknown };
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) {
    return parameter;
  }
  const target = valueAt(document, decode($ref.slice(1)));
  const isBody = isObject(target) && ['body', 'formData'].includes(String(target['in']));
  return isBody ? structuredClone(target) : parameter;
}

/** A place within an operation or a path, whose parts are elsewhere after the conversion. */
const IN_PATHS = /^#\/paths\/[^/]+\/./;

/**
 * What a reference to a place within an operation leads to becomes a definition: the converter
 * moves schemas there, and leaves the references as they are.
 */
function moveTargets(document: Json): void {
  const targets = new Map<string, unknown>();
  const names = new Map<string, string>();
  walk(document, (holder) => {
    const { $ref } = holder;
    if (typeof $ref !== 'string' || !IN_PATHS.test($ref)) {
      return;
    }
    const target = supported(
      () => valueAt(document, referenced($ref)),
      () => undefined,
    );
    if (isObject(target)) {
      const name = names.get($ref) ?? `referred-${names.size + 1}`;
      names.set($ref, name);
      targets.set(name, target);
      holder['$ref'] = `#/definitions/${name}`;
    }
  });
  if (targets.size > 0) {
    const definitions = (document['definitions'] ??= {}) as Json;
    for (const [name, target] of targets) {
      definitions[name] = structuredClone(target);
    }
  }
}

/**
 * Of a list in a form, the converter reads a format that is stated, and not the default; it knows
 * no style for `tsv` (Swagger 2.0, Parameter Object, `collectionFormat`).
 */
function describeLists(document: Json): void {
  const holders = [...pathItemsIn(document), ...operationsIn(document)];
  const shared = Object.values(Object(document['parameters']));
  const lists = holders.map((holder) => holder['parameters']).filter(Array.isArray);
  const parameters = [...shared, ...lists.flat()].filter(isObject);
  for (const parameter of parameters) {
    if ('x-example' in parameter && parameter['in'] !== 'body') {
      parameter['example'] ??= parameter['x-example'];
    }
  }
  for (const parameter of parameters.filter(({ type }) => type === 'array')) {
    if (parameter['in'] === 'formData') {
      parameter['collectionFormat'] ??= 'csv';
    }
    if (parameter['in'] === 'query' && parameter['collectionFormat'] === 'tsv') {
      Object.assign(parameter, { style: TAB_DELIMITED, explode: false });
    }
  }
}

/** `x-nullable` allows null whatever the choices are: no specification says otherwise. */
function allowNullInChoices(document: Json): void {
  walk(document, (schema) => {
    const choices = schema['enum'];
    if (schema['x-nullable'] === true && Array.isArray(choices) && !choices.includes(null)) {
      schema['enum'] = [...choices, null];
    }
  });
}

/**
 * A response of the type `file` (Swagger 2.0, Response Object) has any media type and any bytes.
 */
function describeFiles(document: Record<string, unknown>): void {
  for (const operation of operationsIn(document)) {
    for (const response of Object.values(Object(operation['responses']))) {
      const isFile = isObject(response) && Object(response['schema'])['type'] === 'file';
      if (isFile) {
        response['schema'] = {};
        operation['produces'] ??= ['*/*'];
      }
    }
  }
}

/**
 * The place in the Swagger 2.0 file of a place in the converted contract; another place if the file
 * has none.
 */
export function placeInSwagger2(segments: readonly string[]): readonly string[] {
  const [first, kind, ...rest] = segments;
  if (first !== 'components' || kind === undefined) {
    return segments;
  }
  const moved = SECTIONS[kind];
  return moved === undefined ? segments : [moved, ...rest];
}

/** The members of a Swagger 2.0 document by those of `components`. */
const SECTIONS: Readonly<Record<string, string>> = {
  schemas: 'definitions',
  parameters: 'parameters',
  requestBodies: 'parameters',
  responses: 'responses',
  securitySchemes: 'securityDefinitions',
};
