/** Contracts of Swagger 2.0, converted to OpenAPI 3.1 by a library. */
import { isObject, valueAt } from './pointers.ts';

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
  inlineBodyParameters(document);
  describeFiles(document);
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
  const target = valueAt(document, decodeURIComponent($ref.slice(1)));
  const isBody = isObject(target) && ['body', 'formData'].includes(String(target['in']));
  return isBody ? structuredClone(target) : parameter;
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
