/** Whatever the contract may come to use works (http/validation/contract.test.ts), or stops the start with a line that names it. */
import { describe, expect, test } from 'vitest';
import { ContractError } from '../contract.ts';
import { type AnyDocument, changedContract } from '../testing/serve.ts';

const listEdges = (document: AnyDocument) => document.paths['/edges/https'].get;
const createEdge = (document: AnyDocument) => document.paths['/edges/https'].post;
const newEdge = (document: AnyDocument) => document.components.schemas.HTTPSEdgeCreate;
const addParameter = (document: AnyDocument, parameter: object) => listEdges(document).parameters.push(parameter);
const TEXT = { type: 'string' };

const CASES: Record<string, [change: (document: AnyDocument) => void, line: RegExp]> = {
  webhooks: [(d) => (d.webhooks = {}), /the document: `webhooks` is not supported/],
  'a method of its own for HEAD': [(d) => (d.paths['/edges/https'].head = {}), /\/edges\/https: `head`/],
  'servers of an operation': [(d) => (listEdges(d).servers = []), /get \/edges\/https: `servers`/],
  callbacks: [(d) => (createEdge(d).callbacks = {}), /post \/edges\/https: `callbacks`/],
  'a path parameter within a segment': [(d) => (d.paths['/a/{b}.json'] = {}), /\/a\/\{b\}\.json: .*`\{b\}\.json`/],
  'a parameter in a cookie': [
    (d) => addParameter(d, { name: 'q', in: 'cookie', schema: TEXT }),
    /the parameter q: `in: cookie`/,
  ],
  'a parameter with a style': [
    (d) => addParameter(d, { name: 'q', in: 'query', style: 'pipeDelimited', schema: TEXT }),
    /the parameter q: `style`/,
  ],
  'a parameter with content': [
    (d) => addParameter(d, { name: 'q', in: 'query', content: { 'application/json': {} } }),
    /the parameter q: `content`/,
  ],
  'a parameter that is an object': [
    (d) => addParameter(d, { name: 'q', in: 'query', schema: { type: 'object' } }),
    /the parameter q: its `type` must be one of/,
  ],
  'a header that is a list': [
    (d) => addParameter(d, { name: 'X-Q', in: 'header', schema: { type: 'array', items: TEXT } }),
    /the parameter X-Q: its `type`/,
  ],
  'a second media type of a body': [
    (d) => (createEdge(d).requestBody.content['application/xml'] = { schema: TEXT }),
    /requestBody: the media type application\/xml/,
  ],
  'an encoding of a body': [
    (d) => (createEdge(d).requestBody.content['application/json'].encoding = {}),
    /requestBody: application\/json: `encoding`/,
  ],
  'a second media type of a response': [
    (d) => (createEdge(d).responses['201'].content['application/xml'] = { schema: TEXT }),
    /several media types \(application\/json, application\/xml\)/,
  ],
  'a status by its first digit': [(d) => (createEdge(d).responses['2XX'] = {}), /the response 2XX/],
  'no response of success': [(d) => (createEdge(d).responses = {}), /no response of success/],
  'no operationId': [(d) => delete createEdge(d).operationId, /`operationId` is missing/],
  'an operationId that is there twice': [
    (d) => (listEdges(d).operationId = 'createEdge'),
    /the operationId createEdge is there already/,
  ],
  'another security scheme': [
    (d) => (d.components.securitySchemes.bearerAuth = { type: 'apiKey', in: 'header', name: 'X-Key' }),
    /the security scheme bearerAuth/,
  ],
  'two security schemes at once': [(d) => (d.security = [{ bearerAuth: [], other: [] }]), /one scheme/],
  discriminator: [(d) => (newEdge(d).discriminator = {}), /HTTPSEdgeCreate: `discriminator`/],
  readOnly: [(d) => (newEdge(d).properties.metadata.readOnly = true), /properties\/metadata: `readOnly`/],
  patternProperties: [(d) => (newEdge(d).patternProperties = {}), /HTTPSEdgeCreate: `patternProperties`/],
  prefixItems: [(d) => (d.components.schemas.HostportList.prefixItems = []), /HostportList: `prefixItems`/],
  'a reference into a component': [
    (d) => (newEdge(d).properties.metadata.$ref = '#/components/schemas/Hostport/x'),
    /`\$ref: #\/components\/schemas\/Hostport\/x`/,
  ],
  'a reference to another file': [(d) => (newEdge(d).properties.metadata.$ref = 'other.yaml'), /`\$ref: other\.yaml`/],
  'a default under a condition': [
    (d) => (newEdge(d).then.properties.metadata = { default: 'x' }),
    /`default` within `then`/,
  ],
  'a default behind a choice of objects': [
    (d) => newEdge(d).properties.mutual_tls.oneOf.push({ type: 'object' }),
    /`default` within `oneOf`/,
  ],
};

describe('stops the start:', () => {
  test.for(Object.entries(CASES))('%s', ([, [change, line]]) => {
    let message = '';
    try {
      changedContract(change);
    } catch (error) {
      expect(error).toBeInstanceOf(ContractError);
      ({ message } = error as Error);
    }
    expect(message).toMatch(line);
    expect(message).toMatch(/^openapi\.yaml: [^\n]+$/);
  });
});

test('the contract as it is uses none of that', () => {
  expect(() => changedContract(() => undefined)).not.toThrow();
});
