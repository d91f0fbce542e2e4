/** A small contract with forms of schemas that the real one has in responses only, or not at all. */
import { parseContract, type Contract } from './load.ts';

export const SYNTHETIC: Contract = parseContract(
  `
openapi: 3.1.0
info: {title: Synthetic, version: 1.2.3}
paths: {}
components:
  parameters:
    Verbose: {name: verbose, in: query, schema: {type: boolean}}
  schemas:
    Everything:
      type: object
      x-origin: source §1
      additionalProperties: false
      required: [name, share]
      properties:
        name: {$ref: '#/components/schemas/Name', default: web}
        share: {type: number, format: double, minimum: 0, maximum: 1}
        seconds: {type: integer, format: int64, minimum: 0, maximum: 4294967295}
        small: {type: integer, format: int32}
        add: {$ref: '#/components/schemas/Map'}
        remove: {type: array, minItems: 1, maxItems: 3, items: {$ref: '#/components/schemas/Name'}}
        secret: {type: [string, 'null'], format: password, maxLength: 20}
        issuer: {type: string, format: uri, minLength: 1, maxLength: 200}
        both: {allOf: [{$ref: '#/components/schemas/Base'}, {required: [b], properties: {a: {maxLength: 4}, b: {type: boolean}}}]}
        nested: {oneOf: [{$ref: '#/components/schemas/Outer'}, {type: 'null'}]}
        provider: {$ref: '#/components/schemas/Provider'}
        key: {type: string, maxLength: 5, x-max-bytes: 12}
        level: {type: integer, enum: [1, 2, 4]}
        kind: {const: fixed}
        formats: {type: object, required: [at, long, raw, link, to], properties: {at: {type: string, format: time}, long: {type: string, format: duration}, raw: {type: string, format: byte}, link: {type: string, format: url}, to: {type: string, format: uri-template}}}
    Name: {type: string, minLength: 2, maxLength: 8, pattern: '^[a-z]+$'}
    Map:
      type: object
      propertyNames: {$ref: '#/components/schemas/Name'}
      additionalProperties: {type: string, maxLength: 30, pattern: '^[^\\r\\n\\x00]*$'}
      maxProperties: 5
    Base: {type: object, properties: {a: {type: string, minLength: 1, maxLength: 10}}}
    Outer: {type: object, additionalProperties: false, properties: {inner: {oneOf: [{type: 'null'}, {$ref: '#/components/schemas/Inner'}]}}}
    Inner:
      type: object
      additionalProperties: false
      required: [mode]
      properties: {mode: {type: string, enum: [on, off]}, value: {type: [integer, 'null'], minimum: 1, maximum: 9}}
      if: {required: [mode], properties: {mode: {const: on}}}
      then: {required: [value], properties: {value: {minimum: 3}}}
      else: {properties: {value: {maximum: 5}}}
    Provider:
      {type: object, additionalProperties: false, minProperties: 1, maxProperties: 1,
      properties: {one: {$ref: '#/components/schemas/Account'}, two: {$ref: '#/components/schemas/Account'}}}
    Account:
      {type: object, additionalProperties: false, dependentRequired: {id: [secret], secret: [id]},
      properties: {id: {type: string, minLength: 1, maxLength: 9}, secret: {type: string, minLength: 1, maxLength: 9}}}
`,
  'synthetic.yaml',
);
