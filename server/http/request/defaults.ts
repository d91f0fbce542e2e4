/** The defaults of the contract for the body and the query of an operation. */
import type { Contract, JsonObject, Operation } from '../../contract.ts';
import { compileDefaults, type FillDefaults } from '../../openapi/defaults.ts';

export function bodyDefaults({ document }: Contract, { requestBody }: Operation): FillDefaults {
  if (requestBody === undefined) {
    return (value) => value;
  }
  return compileDefaults(document, requestBody.schema);
}

export function queryDefaults({ document }: Contract, { parameters }: Operation): FillDefaults {
  const properties: JsonObject = {};
  for (const { in: place, name, schema } of parameters) {
    if (place === 'query') {
      properties[name] = schema;
    }
  }
  return compileDefaults(document, { properties });
}
