/**
 * Faults of the query that express-openapi-validator does not report or reports one at a time: unknown and repeated
 * parameters (D35), and numbers in another form than decimal digits, which it would convert (`0x10`, `1e1`; D31).
 */
import type { Request } from 'express';
import type { Operation } from '../contract.ts';
import type { FieldError } from '../domain/types.ts';

export function queryFaults(query: Request['query'], operation: Operation): FieldError[] {
  const sent = Object.entries(query);
  if (sent.length === 0) return [];
  const known = new Map(operation.parameters.filter((p) => p.in === 'query').map((p) => [p.name, p.schema]));
  return sent.flatMap(([parameter, value]): FieldError[] => {
    const schema = known.get(parameter);
    if (!schema) return [{ parameter, code: 'unknown', detail: 'is not a parameter of this operation' }];
    if (typeof value !== 'string') return [{ parameter, code: 'repeated', detail: 'may be given once' }];
    if (schema.type === 'integer' && !/^(0|[1-9][0-9]*)$/.test(value)) {
      return [
        { parameter, code: 'type', detail: 'must be an integer in decimal digits, without a sign or a leading zero' },
      ];
    }
    return [];
  });
}
