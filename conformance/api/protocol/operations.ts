/** What the API promises of every operation beyond its schemas: HEAD, media types, encodings, what a body may be. */
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { type Operation, successOf } from '../../engine/contract/operations.ts';
import { each, eachText, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import { loneSurrogatesAtDepth, minimalBody, repeatedNamesAtDepth, textField } from '../bodies-for.ts';
import { unknownValue } from '../unknown-ids.ts';
import { groundFor, NOTHING, validCall } from '../valid-calls.ts';
import { stated } from '../stated.ts';
import { type CallInput, requestTargetOf } from '../../engine/http/call.ts';

export function operationProtocol(operation: Operation): Requirement[] {
  const all = [];
  if (Object.keys(successOf(operation).content).length > 0) all.push(notAcceptable(operation));
  if (operation.method === 'GET') all.push(head(operation));
  if (operation.parameters.some((one) => one.in === 'path')) all.push(decoding(operation));
  if (operation.requestBody) all.push(...bodyProtocol(operation));
  return all;
}

type Rule = Pick<Requirement, 'origin' | 'clause' | 'sentence' | 'words'>;

function requirement(
  operation: Operation,
  name: string,
  rule: Rule,
  properties: Requirement['properties'],
): Requirement {
  return { id: `${operation.operationId}.${name}`, level: operation.level, ...rule, properties };
}

/** Sends a valid call with each of these changes and expects a refusal. */
function refusals(
  operation: Operation,
  changes: Record<string, Partial<CallInput>>,
  statuses: number[],
  why: string,
  codes?: readonly string[],
): Property[] {
  return each(changes, async (change, session) => {
    const { json: _, ...call } = await groundFor(session, operation);
    const input = { ...call, ...change };
    const response = await session.call(operation.operationId, input);
    expectRefusal(session.implementation, operation, response, statuses, why, { input, ...(codes ? { codes } : {}) });
  });
}

/** The same, with bodies that cannot be read and are sent as they are. */
function refusedBodies(operation: Operation, bodies: (string | Buffer)[], why: string): Property[] {
  return refusals(
    operation,
    Object.fromEntries(bodies.map((body) => [JSON.stringify(body.toString('latin1')), { body }])),
    [400],
    why,
    ['malformed_request'],
  );
}

/** Bodies written as they are here, which parsers can read: their errors are those of what they mean. */
function refusedTexts(
  operation: Operation,
  bodies: readonly (string | Buffer)[],
  why: string,
  codes = ['invalid_request'],
): Property[] {
  return each(
    Object.fromEntries(bodies.map((body) => [JSON.stringify(body.toString()), body])),
    async (body, session) => {
      const call = await groundFor(session, operation);
      const response = await session.call(operation.operationId, { ...call, body });
      const { code } = (response.json ?? {}) as { code?: unknown };
      const input = { ...call, json: JSON.parse(body.toString()) as unknown };
      expectRefusal(session.implementation, operation, response, [400], why, {
        codes,
        ...(code === 'invalid_request' ? { input } : {}),
      });
    },
  );
}

/** The suite sends `Accept` with every request; an empty value takes it away. */
const NO_ACCEPT = '';

function notAcceptable(operation: Operation): Requirement {
  const keep = (accept: string): Property => ({
    label: accept === NO_ACCEPT ? 'no Accept' : `Accept: ${accept}`,
    values: NOTHING,
    once: true,
    async check(_, session) {
      const call = await validCall(session, operation.operationId);
      const response = await session.call(operation.operationId, { ...call, headers: { accept } });
      const why = accept === NO_ACCEPT ? 'No Accept allows everything.' : `Accept: ${accept} allows JSON.`;
      expectSuccess(session.implementation, operation, response, why);
    },
  });
  const rule = {
    origin: 'D29',
    clause: '/components/responses/NotAcceptable',
    sentence: `${operation.operationId} returns 406 when the Accept header rules JSON out, and only then.`,
  };
  return requirement(operation, '406', rule, () => [
    ...eachText(
      [
        'text/html',
        'application/xml',
        'image/*',
        'application/json;q=0, text/plain',
        'application/json;q=0',
        'application/json;q=0.000, */*;q=0.5',
        'application/*;q=0, */*',
        '*/*;q=0',
        'text/*;q=1, application/xml;q=0.1',
        'application/jsonx',
      ],
      async (accept, session) => {
        const call = await validCall(session, operation.operationId);
        const response = await session.call(operation.operationId, { ...call, headers: { accept } });
        expectRefusal(session.implementation, operation, response, [406], `Accept: ${accept} rules JSON out.`);
      },
    ),
    ...[
      NO_ACCEPT,
      '*/*',
      'application/*',
      'text/html, application/json;q=0.5',
      'APPLICATION/JSON',
      'application/json;q=0.001, text/html;q=1',
      '*/*;q=0, application/json;q=1.000',
      'application/*;q=0, application/json',
      'text/html;level=1;q=0.9, application/* ; q=0.1',
      'text/html,\t*/*;q=0.1',
    ].map(keep),
  ]);
}

function head(operation: Operation): Requirement {
  const rule = {
    origin: 'D29',
    ...stated('`HEAD` works wherever `GET` does'),
    sentence: `HEAD works where ${operation.operationId} does: the same status, and no body (RFC 9110).`,
  };
  return requirement(operation, 'head', rule, () => [
    ...unknownResource(operation),
    {
      label: 'HEAD beside GET',
      values: NOTHING,
      once: true,
      async check(_, session) {
        const target = requestTargetOf(operation, await validCall(session, operation.operationId));
        await expectHeadAsGet(session, target);
      },
    },
  ]);
}

/** HEAD is as GET where there is nothing, too. */
function unknownResource(operation: Operation): Property[] {
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const last = names.at(-1);
  if (last === undefined || last === 'subscription_id') return [];
  return [
    {
      label: 'HEAD beside a GET that finds nothing',
      values: NOTHING,
      once: true,
      async check(_, session) {
        const { path } = await validCall(session, operation.operationId);
        const target = requestTargetOf(operation, { path: { ...path, [last]: unknownValue(last) } });
        await expectHeadAsGet(session, target);
      },
    },
  ];
}

async function expectHeadAsGet(session: Session, target: string): Promise<void> {
  const get = await session.send({ method: 'GET', target });
  // A connection of its own: what comes behind the headers comes before its end.
  const response = await session.send({ method: 'HEAD', target, headers: { connection: 'close' } });
  expectThat(response.status === get.status, 'HEAD has another status than GET.', {
    expected: get.status,
    got: response.status,
  });
  expectThat(response.bytes === 0, 'HEAD has no body.', { expected: 'no body', got: response.text });
  expectThat(response.mediaType === get.mediaType, 'HEAD has another media type than GET.', {
    expected: get.mediaType,
    got: response.mediaType,
  });
}

function decoding(operation: Operation): Requirement {
  const rule = {
    origin: 'D29',
    ...stated('A path is taken apart before it is decoded'),
    sentence: `${operation.operationId} takes percent-encoded path parameters for what they stand for (RFC 3986).`,
  };
  return requirement(operation, 'path.decoding', rule, () => [
    {
      label: 'every character encoded',
      values: NOTHING,
      once: true,
      async check(_, session) {
        const call = await validCall(session, operation.operationId);
        const encoded = { ...call, encode: encodeAll };
        const response = await session.call(operation.operationId, encoded);
        expectSuccess(
          session.implementation,
          operation,
          response,
          `${requestTargetOf(operation, encoded)} is ${requestTargetOf(operation, call)}.`,
        );
      },
    },
    {
      label: 'encoded twice',
      values: NOTHING,
      once: true,
      async check(_, session) {
        const call = await validCall(session, operation.operationId);
        let target = operation.path;
        for (const [name, value] of Object.entries(call.path ?? {}))
          target = target.replace(`{${name}}`, encodeURIComponent(encodeAll(value)));
        const { method } = operation;
        const body =
          call.json === undefined
            ? {}
            : { body: JSON.stringify(call.json), headers: { 'content-type': 'application/json' } };
        const response = await session.send({ method, target, ...body });
        expectRefusal(
          session.implementation,
          operation,
          response,
          [400, 404],
          `${target} is decoded once: a percent sign is in no name.`,
        );
      },
    },
  ]);
}

function encodeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

function bodyProtocol(operation: Operation): Requirement[] {
  const pointer = `${operation.pointer}/requestBody`;
  const rule = (sentence: string, origin = 'D29', clause = pointer): Rule => ({
    origin,
    clause,
    sentence: `${operation.operationId} ${sentence}`,
  });
  const inWords = (words: string, sentence: string, origin: string): Rule => ({
    ...rule(sentence, origin),
    ...stated(words),
  });
  const json = { 'content-type': 'application/json' };
  const requirements = [
    requirement(operation, 'body.json', rule('refuses a body that is not well-formed JSON.', 'source'), () => [
      ...refusedBodies(
        operation,
        [
          ...['05', '+5', '.5', '5.', '0x5', '1e', '1_000', '-', 'NaN', 'Infinity', '-Infinity', 'None', 'True'].map(
            (number) => `{"a":${number}}`,
          ),
          ...[
            '{"a":1}//',
            '/**/{}',
            '{a:1}',
            '\u00a0{}',
            '{}\u2028',
            '{"a":"\t"}',
            '{"a":"\\x41"}',
            '{"a":"\\u12"}',
            '[1,]',
            '{,}',
            '\ufeff\ufeff{}',
          ],
          '{',
          '{"type":',
          "{'type':1}",
          '{"a":1,}',
          'undefined',
          '{}{}',
          '\u0000',
          '{"a":NaN}',
          '[',
          '"\n"',
        ],
        'The body is not JSON.',
      ),
    ]),
    requirement(
      operation,
      'body.repeated-names',
      inWords(
        'A name that stands twice in one object',
        'refuses a body with an object that has one name twice.',
        'D35',
      ),
      () => [
        ...refusedBodies(
          operation,
          [...repeatedNames(operation), ...repeatedNamesAtDepth(operation)],
          'An object has one name twice.',
        ),
        // With an unknown property around it: a service may report that one instead.
        ...refusedTexts(
          operation,
          nested(operation, [
            '{"a":1,"a":1}',
            '[{"a":0},{"a":1,"b":[],"a":2}]',
            '{"b":{"c":[[{"":0,"":1}]]}}',
            '{"/":0,"\\/":1}',
            '{"\\u00e9":0,"é":1}',
            '{"__proto__":0,"__proto__":1}',
          ]),
          'An object has one name twice.',
          ['malformed_request', 'invalid_request'],
        ),
      ],
    ),
    requirement(operation, 'body.utf-8', rule('refuses a body that is not UTF-8.'), () => [
      ...refusedBodies(
        operation,
        [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0xaf]].map((bytes) =>
          withText(operation, Buffer.from(bytes)),
        ),
        'The body is not UTF-8.',
      ),
    ]),
    requirement(
      operation,
      'body.unicode',
      inWords('A lone surrogate', 'refuses a text with a lone surrogate.', 'D30'),
      () => [
        ...refusedTexts(
          operation,
          [
            ...['\\ud800', '\\udfff', 'a\\ud83d', '\\ude00\\ud83d', '\\uD83D\\u0000'].map((text) =>
              withText(operation, Buffer.from(text)),
            ),
            ...loneSurrogatesAtDepth(operation),
            ...nested(operation, [
              '"\\ud800"',
              '["\\udfff"]',
              '{"a":[0,{"b":"a\\ud83d"}]}',
              '{"\\udc00":0}',
              '{"a":{"b\\ud800":0}}',
            ]),
          ],
          'A lone surrogate is no Unicode text.',
        ),
      ],
    ),
    requirement(
      operation,
      'body.size',
      rule(
        'returns 413 to a body of more than 1,048,576 bytes, and reads one of just that.',
        'D32',
        '/components/responses/ContentTooLarge',
      ),
      () => [
        ...refusals(
          operation,
          { 'one byte more': { body: padded(operation, MAX_BYTES + 1) } },
          [413],
          'The body has 1,048,577 bytes.',
        ),
        {
          label: 'just 1,048,576 bytes',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const { json: valid, ...call } = await validCall(session, operation.operationId);
            const body = JSON.stringify(valid).padEnd(MAX_BYTES);
            expectSuccess(
              session.implementation,
              operation,
              await session.call(operation.operationId, { ...call, body }),
              'The body has 1,048,576 bytes.',
            );
          },
        },
      ],
    ),
    requirement(
      operation,
      '415',
      rule('returns 415 to a body that is not declared as JSON.', 'D29', '/components/responses/UnsupportedMediaType'),
      () => [
        ...refusals(
          operation,
          Object.fromEntries(
            [
              'text/plain',
              'application/xml',
              'application/x-www-form-urlencoded',
              'multipart/form-data; boundary=x',
            ].map((type) => [type, { json: {}, headers: { 'content-type': type } }]),
          ),
          [415],
          'The body is declared as something else than JSON.',
        ),
        ...['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'].map((type) =>
          mediaType(operation, type),
        ),
      ],
    ),
  ];
  if (operation.requestBody!.required) {
    const missing = rule('refuses a request without a body.');
    requirements.push(
      requirement(operation, 'body.missing', missing, () => [
        ...refusals(operation, { 'no body': {} }, [400], 'The body is missing.'),
        ...refusals(operation, { 'an empty body': { body: '', headers: json } }, [400], 'The body is empty.'),
      ]),
    );
  }
  return requirements;
}

/** D32. */
const MAX_BYTES = 1_048_576;

/** A body that is valid but for the bytes in a text of it. */
function withText(operation: Operation, text: Buffer): Buffer {
  const field = textField(operation);
  const members = Object.entries(minimalBody(operation)).filter(([name]) => name !== field);
  const start = [
    ...members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    `"${field}":"`,
  ].join(',');
  return Buffer.concat([Buffer.from(`{${start}`), text, Buffer.from('"}')]);
}

/** Valid but for a property more, which holds one of these JSON texts. */
function nested(operation: Operation, values: readonly string[]): Buffer[] {
  const members = Object.entries(minimalBody(operation)).map(([name, value]) => `"${name}":${JSON.stringify(value)},`);
  return values.map((value) => Buffer.from(`{${members.join('')}"x":${value}}`));
}

/** Valid, whichever of the two is kept. */
function repeatedNames(operation: Operation): string[] {
  const field = textField(operation);
  const rest = Object.entries(minimalBody(operation)).filter(([name]) => name !== field);
  const value = (text: string) => JSON.stringify(`${text}.v0`);
  const escaped = `\\u${field.charCodeAt(0).toString(16).padStart(4, '0')}${field.slice(1)}`;
  return [
    [
      [field, 'a'],
      [field, 'a'],
    ],
    [
      [field, 'a'],
      [field, 'b'],
    ],
    [
      [field, 'a'],
      [escaped, 'b'],
    ],
  ].map(
    (pairs) =>
      `{${[...rest.map(([name, one]) => `"${name}":${JSON.stringify(one)}`), ...pairs.map(([name, text]) => `"${name}" :${value(text!)}`)].join(',')}}`,
  );
}

/** Valid but for its size: white space around JSON means nothing. */
function padded(operation: Operation, bytes: number): string {
  return JSON.stringify(minimalBody(operation)).padEnd(bytes);
}

function mediaType(operation: Operation, type: string): Property {
  return {
    label: `accepts ${type}`,
    values: NOTHING,
    once: true,
    async check(_, session: Session) {
      const call = await validCall(session, operation.operationId);
      const response = await session.call(operation.operationId, { ...call, headers: { 'content-type': type } });
      expectSuccess(session.implementation, operation, response, `${type} is JSON.`);
    },
  };
}
