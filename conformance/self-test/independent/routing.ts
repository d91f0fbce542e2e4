/** Finds the operations on a path. */
import { isEventType, isId } from './forms.ts';
import type { Operation, Params } from './operation.ts';
import { ApiError } from './problem.ts';

export interface Found {
  params: Params;
  /** All operations on the path, by method. */
  operations: Map<string, Operation>;
}

/** @throws ApiError if there is no operation on the path */
export function route(operations: readonly Operation[], segments: readonly string[]): Found {
  const found: Found = { params: {}, operations: new Map() };
  for (const operation of operations) {
    const params = match(operation.path, segments);
    if (params) {
      found.params = params;
      found.operations.set(operation.method, operation);
    }
  }
  if (found.operations.size === 0) {
    throw new ApiError('not_found', 'Nothing lives under this path.');
  }
  return found;
}

const PARAMETER = /^\{(.*)\}$/;

/** The parameters of a path; undefined if it does not have the form of the template. */
function match(template: string, segments: readonly string[]): Params | undefined {
  const parts = template.split('/').slice(1);
  if (parts.length !== segments.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    const [, name] = PARAMETER.exec(part) ?? [];
    if (name === undefined) {
      if (segment !== part) {
        return undefined;
      }
    } else if (segment === '') {
      return undefined;
    } else {
      params[name] = segment;
    }
  }
  return params;
}

/**
 * A parameter that does not have its form names nothing that can exist. The contract allows 404 for
 * it.
 */
export function requirePossible(params: Params): void {
  const isPossible = Object.entries(params).every(([name, value]) => {
    if (name === 'type') {
      return value.length <= 128 && isEventType(value);
    }
    return value.length <= 64 && isId(value);
  });
  if (!isPossible) {
    throw new ApiError('not_found', 'Nothing can have this name.');
  }
}
