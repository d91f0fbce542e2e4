/** Errors that are not the problems that the contract promises. */
import { type Fault, faultsOf } from '../fault.ts';
import type { ServiceResponse } from '../service.ts';
import { answering, html, invalid, isProblem, json, jsonOf, problem, showing } from '../plant/answer.ts';
import { instead, type Plant, refusing } from '../plant/plant.ts';
import type { Json } from '../plant/request.ts';
import { without } from '../plant/values.ts';

const fault = faultsOf('problems');

/** Changes every problem with this status. */
function problems(status: number | 'any', change: (value: Json, answer: ServiceResponse) => unknown): Plant {
  return refusing(status, (answer) =>
    isProblem(answer) && answer.body.length > 0 ? showing(answer, change(jsonOf(answer), answer)) : answer,
  );
}

type FieldError = Json & { pointer?: string; parameter?: string };

const errors = (change: (error: FieldError) => unknown): Plant =>
  problems(400, (value) =>
    Array.isArray(value['errors']) ? { ...value, errors: value['errors'].map(change) } : value,
  );

const pointers = (change: (pointer: string) => string): Plant =>
  errors((error) => (error.pointer === undefined ? error : { ...error, pointer: change(error.pointer) }));

const detail = (text: string): Plant => problems('any', (value) => ({ ...value, detail: text }));

const DESCRIPTION = 'createEdge.body.description.type';
const UNKNOWN = 'edges.unknown';

export const problemFaults: Fault[] = [
  fault(
    'html',
    UNKNOWN,
    'Errors are pages in HTML.',
    refusing(404, () => html(404, 'Not Found')),
  ),
  fault(
    'plain-json',
    UNKNOWN,
    'Problems are sent as application/json.',
    refusing('any', (answer) => answering(answer, { 'content-type': 'application/json' })),
  ),
  fault(
    'text',
    DESCRIPTION,
    'Errors are plain text.',
    refusing(400, (answer) => ({
      status: answer.status,
      headers: { 'content-type': 'text/plain' },
      body: 'Bad Request',
    })),
  ),
  fault(
    'empty',
    UNKNOWN,
    'Errors have no body.',
    refusing('any', (answer) => ({ status: answer.status, headers: {}, body: '' })),
  ),
  fault(
    'own-shape',
    DESCRIPTION,
    'Errors have a shape of their own.',
    refusing(400, () => json(400, { error: { message: 'Bad Request' } })),
  ),
  fault(
    '422',
    DESCRIPTION,
    'A body that breaks the contract is answered with 422.',
    refusing(400, (answer) => showing({ ...answer, status: 422 }, { ...jsonOf(answer), status: 422 })),
  ),
  fault(
    'status-differs',
    UNKNOWN,
    '`status` of a problem is another one than that of the answer.',
    problems(404, (value) => ({ ...value, status: 400 })),
  ),
  fault(
    'status-text',
    UNKNOWN,
    '`status` of a problem is a text.',
    problems('any', (value) => ({ ...value, status: String(value['status']) })),
  ),
  ...['type', 'title', 'status', 'detail', 'code', 'request_id'].map((name) =>
    fault(
      `without-${name}`,
      UNKNOWN,
      `A problem has no \`${name}\`.`,
      problems('any', (value) => without(value, name)),
    ),
  ),
  fault(
    'code-unknown',
    UNKNOWN,
    '`code` is none of the list.',
    problems(404, (value) => ({ ...value, code: 'edge_not_found' })),
  ),
  fault(
    'code-upper-case',
    DESCRIPTION,
    '`code` is in upper case.',
    problems(400, (value) => ({ ...value, code: String(value['code']).toUpperCase() })),
  ),
  fault(
    'code-of-another-status',
    'sources.add-twice',
    '`code` belongs to another status.',
    problems(409, (value) => ({
      ...value,
      code: 'invalid_request',
      errors: [{ pointer: '/type', code: 'duplicate', detail: 'It is there.' }],
    })),
  ),
  fault(
    'code-number',
    UNKNOWN,
    '`code` is a number.',
    problems('any', (value) => ({ ...value, code: value['status'] })),
  ),
  fault(
    'type-with-space',
    UNKNOWN,
    '`type` is no URI reference.',
    problems('any', (value) => ({ ...value, type: 'not found' })),
  ),
  fault(
    'title-empty',
    UNKNOWN,
    '`title` is empty.',
    problems('any', (value) => ({ ...value, title: '' })),
  ),
  fault(
    'request-id-empty',
    UNKNOWN,
    '`request_id` is empty.',
    problems('any', (value) => ({ ...value, request_id: '' })),
  ),
  fault(
    'instance-with-space',
    UNKNOWN,
    '`instance` is no URI reference.',
    problems('any', (value) => ({ ...value, instance: 'the request' })),
  ),
  fault(
    'instance-null',
    UNKNOWN,
    '`instance` is null in place of being left out.',
    problems('any', (value) => ({ ...value, instance: null })),
  ),
  fault(
    'without-errors',
    DESCRIPTION,
    '`invalid_request` does not name the faults.',
    problems(400, (value) => without(value, 'errors')),
  ),
  fault(
    'errors-empty',
    DESCRIPTION,
    '`errors` is empty.',
    problems(400, (value) => ({ ...value, errors: [] })),
  ),
  fault(
    'errors-text',
    DESCRIPTION,
    '`errors` is a list of texts.',
    problems(400, (value) => (Array.isArray(value['errors']) ? { ...value, errors: ['description'] } : value)),
  ),
  fault(
    'errors-map',
    DESCRIPTION,
    '`errors` is a map by field.',
    problems(400, (value) =>
      Array.isArray(value['errors']) ? { ...value, errors: { description: ['is invalid'] } } : value,
    ),
  ),
  fault(
    'errors-null',
    UNKNOWN,
    '`errors` is null where there are none.',
    problems('any', (value) => ({ ...value, errors: value['errors'] ?? null })),
  ),
  fault(
    'malformed-for-invalid',
    DESCRIPTION,
    'A body that was read and breaks the contract is `malformed_request`.',
    problems(400, (value) => ({ ...without(value, 'errors'), code: 'malformed_request' })),
  ),
  fault(
    'invalid-for-malformed',
    'createEdge.body.json',
    'A body that cannot be read is `invalid_request` without `errors`.',
    problems(400, (value) => (value['code'] === 'malformed_request' ? { ...value, code: 'invalid_request' } : value)),
  ),
  fault(
    'pointer-elsewhere',
    DESCRIPTION,
    'The pointer names another property.',
    pointers(() => '/metadata'),
  ),
  fault(
    'pointer-to-body',
    DESCRIPTION,
    'The pointer names the body, whatever is at fault.',
    pointers(() => ''),
  ),
  fault(
    'pointer-dots',
    'createEdge.body.tls_termination.terminate_at.enum',
    'Pointers are written with dots.',
    pointers((pointer) => pointer.slice(1).replaceAll('/', '.')),
  ),
  fault(
    'pointer-fragment',
    DESCRIPTION,
    'Pointers are written as fragments of a URI.',
    pointers((pointer) => `#${pointer}`),
  ),
  fault(
    'pointer-without-slash',
    'createEventSource.body.type.pattern',
    'Pointers have no slash at their beginning.',
    pointers((pointer) => pointer.slice(1)),
  ),
  fault(
    'pointer-of-model',
    'createEdge.body.description.x-max-bytes',
    'Pointers begin with `/body`.',
    pointers((pointer) => `/body${pointer}`),
  ),
  fault(
    'pointer-camel-case',
    'createEdge.body.mutual_tls.certificate_authority_ids.type',
    'Pointers are in camel case.',
    pointers((pointer) => pointer.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())),
  ),
  fault(
    'pointer-from-one',
    'createEdge.body.hostports.*.pattern',
    'Pointers stop at a list, and count on from its name.',
    pointers((pointer) => pointer.replace(/^\/hostports\/\d+$/, '/hostports0')),
  ),
  fault(
    'pointer-and-parameter',
    DESCRIPTION,
    'A fault has both a pointer and a parameter.',
    errors((error) => (error.pointer === undefined ? error : { ...error, parameter: 'body' })),
  ),
  fault(
    'parameter-null',
    DESCRIPTION,
    'A fault in the body has a parameter of null.',
    errors((error) => (error.pointer === undefined ? error : { ...error, parameter: null })),
  ),
  fault(
    'neither-pointer-nor-parameter',
    DESCRIPTION,
    'A fault has no place.',
    errors((error) => without(error, 'pointer', 'parameter')),
  ),
  fault(
    'parameter-as-pointer',
    'listEventSources.query.limit.type',
    'A parameter is named by a pointer.',
    errors((error) =>
      error.parameter === undefined ? error : { ...without(error, 'parameter'), pointer: `/${error.parameter}` },
    ),
  ),
  fault(
    'parameter-wrong',
    'listEventSources.query.limit.maximum',
    'Another parameter is named.',
    errors((error) => (error.parameter === undefined ? error : { ...error, parameter: 'cursor' })),
  ),
  fault(
    'parameter-unnamed',
    'getEdge.query.unknown',
    'An unknown parameter is refused without its name.',
    errors((error) => (error.parameter === undefined ? error : { ...error, parameter: 'query' })),
  ),
  fault(
    'error-code-unknown',
    DESCRIPTION,
    '`code` of a fault is none of the list.',
    errors((error) => ({ ...error, code: 'invalid_type' })),
  ),
  fault(
    'error-code-missing',
    DESCRIPTION,
    'A fault has no `code`.',
    errors((error) => without(error, 'code')),
  ),
  fault(
    'error-detail-missing',
    DESCRIPTION,
    'A fault has no `detail`.',
    errors((error) => without(error, 'detail')),
  ),
  fault(
    'stack-in-detail',
    UNKNOWN,
    'An error shows a stack trace.',
    detail('Error: no edge\n    at find (file:///app/edges.js:10:11)\n    at handle (file:///app/index.js:3:4)'),
  ),
  fault(
    'stack-in-member',
    UNKNOWN,
    'A problem has a member with a stack trace.',
    problems('any', (value) => ({ ...value, stack: 'Traceback (most recent call last):\n  File "app.py", line 7' })),
  ),
  fault(
    'path-in-detail',
    UNKNOWN,
    'An error shows a path of the service.',
    detail('ENOENT: no such file or directory, open /var/lib/edges/x.json'),
  ),
  fault(
    'path-in-fault',
    DESCRIPTION,
    'A fault shows a path of the service.',
    errors((error) => ({ ...error, detail: 'schema /srv/app/openapi.yaml says so' })),
  ),
  fault(
    'java-trace',
    UNKNOWN,
    'An error shows a stack trace of Java.',
    detail('java.lang.NullPointerException\n\tat com.example.Edges(Edges.java:42)'),
  ),
  fault(
    'not-found-500',
    UNKNOWN,
    'Whatever is not found is answered with 500.',
    instead(['getEdge'], async (next, request) => {
      const answer = await next(request);
      return answer.status === 404 ? problem(500, 'internal_error') : answer;
    }),
  ),
  fault(
    'conflict-html',
    'sources.add-twice',
    'A 409 is a page in HTML.',
    refusing(409, () => html(409, 'Conflict')),
  ),
  fault(
    'too-large-html',
    'createEdge.body.size',
    'A 413 is a page in HTML, as of a proxy.',
    refusing(413, () => html(413, 'Request Entity Too Large')),
  ),
  fault(
    'unsupported-html',
    'createEventSource.415',
    'A 415 is a page in HTML.',
    refusing(415, () => html(415, 'Unsupported Media Type')),
  ),
  fault(
    'not-acceptable-html',
    'getEventSource.406',
    'A 406 is a page in HTML.',
    refusing(406, () => html(406, 'Not Acceptable')),
  ),
  fault(
    'one-fault-elsewhere',
    'updateEventSource.body.type.pattern',
    'An update names a fault where there is none.',
    instead('updateEventSource', async (next, request) => {
      const answer = await next(request);
      return answer.status === 400 ? invalid('/name', 'format') : answer;
    }),
  ),
];
