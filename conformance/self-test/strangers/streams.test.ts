/** Responses that begin when there is something to send. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Events, version: '1'}
paths:
  /health:
    get: {operationId: health, responses: {'200': {description: It is well.}}}
  /events:
    get:
      operationId: events
      responses:
        '200': {description: They come., content: {text/event-stream: {schema: {type: string}}}}
  /changes:
    get: {operationId: changes, responses: {'200': {description: Changes (streaming responses).}}}
  /report:
    get: {operationId: report, responses: {'200': {description: It is here.}}}
`;

/** Nothing but the health is ever sent. */
const service: Handler = ({ path }) => (path === '/health' ? [200] : undefined);

test('a stream that has nothing to send is no failure, and any other silence is one', async () => {
  const { broken, passed } = await runOn(service, CONTRACT, [
    '--timeout-ms',
    '200',
    '--only',
    '*.200',
  ]);
  expect(passed).toEqual(['health.200']);
  expect(broken).toEqual(['report.200']);
});
