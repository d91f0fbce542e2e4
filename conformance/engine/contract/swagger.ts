/** Contracts of Swagger 2.0, converted to OpenAPI 3.1 by a library. */
import { isObject, valueAt } from './pointers.ts';

export const isSwagger2 = (document: unknown): document is Record<string, unknown> =>
  isObject(document) && /^2(\.0)?$/.test(String(document['swagger']));

/**
 * The contract in the words of OpenAPI 3.1. The given document stays as it is.
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

/** The converter writes a reference to a body or to a field of a form as a reference to a parameter. */
function inlineBodyParameters(document: Record<string, unknown>): void {
  for (const item of Object.values(Object(document['paths']))) {
    for (const holder of [item, ...METHODS.map((method) => Object(item)[method])]) {
      if (isObject(holder) && Array.isArray(holder['parameters'])) {
        holder['parameters'] = holder['parameters'].map((one) => withoutReference(document, one));
      }
    }
  }
}

function withoutReference(document: unknown, parameter: unknown): unknown {
  const { $ref } = Object(parameter) as { $ref?: unknown };
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) {
    return parameter;
  }
  const target = valueAt(document, decodeURIComponent($ref.slice(1)));
  const isBody = isObject(target) && ['body', 'formData'].includes(String(target['in']));
  return isBody ? structuredClone(target) : parameter;
}

/** A response of the type `file` (Swagger 2.0, Response Object) has any media type and any bytes. */
function describeFiles(document: Record<string, unknown>): void {
  for (const item of Object.values(Object(document['paths']))) {
    for (const method of METHODS) {
      const operation = Object(Object(item)[method]) as { produces?: string[]; responses?: object };
      for (const response of Object.values(Object(operation.responses))) {
        const holder = Object(response) as { schema?: { type?: unknown } };
        if (holder.schema?.type === 'file') {
          holder.schema = {};
          operation.produces ??= ['*/*'];
        }
      }
    }
  }
}

/** Where a place of the converted contract is in the file as it is. What has no place there has that of its holder. */
export function placeInSwagger2(segments: readonly string[]): readonly string[] {
  const [first, kind, ...rest] = segments;
  if (first !== 'components' || kind === undefined) {
    return segments;
  }
  const moved = SECTIONS[kind];
  return moved === undefined ? segments : [moved, ...rest];
}

const SECTIONS: Record<string, string> = {
  schemas: 'definitions',
  parameters: 'parameters',
  requestBodies: 'parameters',
  responses: 'responses',
  securitySchemes: 'securityDefinitions',
};
