/** Which values of `Content-Type` declare JSON in UTF-8. */
import type { Operation } from '../../engine/contract/operations.ts';
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { groundFor, validCall } from '../valid-calls.ts';
import { triesEither } from './left-open.ts';
import { each, eachText, type Requirement } from '../../engine/requirements/requirement.ts';

const RELATIVES = [
  'application/problem+json',
  'application/vnd.api+json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/json5',
  'application/x-json',
  'text/json',
  'application/jsonx',
  'x-application/json',
  'application',
  'json',
  '*/*',
  'application/*',
];

const FOREIGN = [
  'application/json; charset=iso-8859-1',
  'application/json;charset=utf-16',
  'application/json; charset="UTF-16LE"',
  'application/json; charset=us-ascii',
  'application/json; charset=utf-80',
  'application/json; charset="windows-1252"',
  'application/json; x=y; charset=latin1',
];

const UTF_8 = [
  'application/json;charset="utf-8"',
  'APPLICATION/JSON; CHARSET=UTF-8',
  'application/json ; charset=Utf-8',
  'application/json;\tcharset="UTF-8"',
];

const OTHERS = [
  'application/json; version=1',
  'application/json; profile="https://example.com/a;b"',
  'application/json; q=0.5',
  'application/json;',
  'application/json; x="charset=latin1"',
];

export function contentTypeRequirements(operation: Operation): Requirement[] {
  const { operationId, level, requestBody, pointer } = operation;
  if (!requestBody) return [];
  const common = { level, origin: 'D29', clause: '/components/responses/UnsupportedMediaType' };
  return [
    {
      ...common,
      id: `${operationId}.415.relatives`,
      sentence: `${operationId} returns 415 to media types that only look like JSON, and to none at all.`,
      properties: () =>
        each({ ...Object.fromEntries(RELATIVES.map((type) => [type, type])), 'no Content-Type': '' }, (type, session) =>
          refuses(session, type),
        ),
    },
    {
      ...common,
      id: `${operationId}.415.charset`,
      sentence: `${operationId} returns 415 to another charset than UTF-8, and reads UTF-8 however it is written.`,
      properties: () => [
        ...eachText(FOREIGN, (type, session) => refuses(session, type)),
        ...eachText(UTF_8, async (type, session) => {
          const call = await validCall(session, operationId);
          const response = await session.call(operationId, { ...call, headers: { 'content-type': type } });
          expectSuccess(session.implementation, operation, response, `${type} is JSON in UTF-8.`);
        }),
      ],
    },
    {
      ...common,
      id: `${operationId}.415.parameters`,
      clause: `${pointer}/requestBody`,
      sentence: `${operationId} ignores other parameters of the media type, or refuses them as documented.`,
      properties: () =>
        eachText(OTHERS, (type, session) =>
          triesEither(
            session,
            operation,
            (call) => session.call(operationId, { ...call, headers: { 'content-type': type } }),
            `${type} may be read as JSON or refused.`,
          ),
        ),
    },
  ];

  async function refuses(session: Parameters<typeof groundFor>[0], type: string): Promise<void> {
    const call = await groundFor(session, operation);
    const response = await session.call(operationId, { ...call, json: {}, headers: { 'content-type': type } });
    const why = type === '' ? 'The body is not declared.' : `${type} is not JSON in UTF-8.`;
    expectRefusal(session.implementation, operation, response, [415], why);
  }
}
