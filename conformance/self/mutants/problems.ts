/** Errors that are not the problems that the contract promises. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { ServiceResponse } from '../service.ts';
import { answering, html, invalid, isProblem, json, jsonOf, problem, showing } from '../mutate/response.ts';
import { instead, type Mutate, refusing } from '../mutate/mutate.ts';
import type { Json } from '../mutate/request.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('problems');

/** Changes every problem with this status. */
function problems(status: number | 'any', change: (value: Json, response: ServiceResponse) => unknown): Mutate {
  return refusing(status, (response) =>
    isProblem(response) && response.body.length > 0 ? showing(response, change(jsonOf(response), response)) : response,
  );
}

type FieldError = Json & { pointer?: string; parameter?: string };

const errors = (change: (error: FieldError) => unknown): Mutate =>
  problems(400, (value) =>
    Array.isArray(value['errors']) ? { ...value, errors: value['errors'].map(change) } : value,
  );

const pointers = (change: (pointer: string) => string): Mutate =>
  errors((error) => (error.pointer === undefined ? error : { ...error, pointer: change(error.pointer) }));

const detail = (text: string): Mutate => problems('any', (value) => ({ ...value, detail: text }));

const DESCRIPTION = 'createEdge.body.description.type';
const UNKNOWN = 'edges.unknown';

export const problemMutants: Mutant[] = [
  mutant(
    'html',
    UNKNOWN,
    'Errors are pages in HTML.',
    refusing(404, () => html(404, 'Not Found')),
  ),
  mutant(
    'plain-json',
    UNKNOWN,
    'Problems are sent as application/json.',
    refusing('any', (response) => answering(response, { 'content-type': 'application/json' })),
  ),
  mutant(
    'text',
    DESCRIPTION,
    'Errors are plain text.',
    refusing(400, (response) => ({
      status: response.status,
      headers: { 'content-type': 'text/plain' },
      body: 'Bad Request',
    })),
  ),
  mutant(
    'empty',
    UNKNOWN,
    'Errors have no body.',
    refusing('any', (response) => ({ status: response.status, headers: {}, body: '' })),
  ),
  mutant(
    'own-shape',
    DESCRIPTION,
    'Errors have a shape of their own.',
    refusing(400, () => json(400, { error: { message: 'Bad Request' } })),
  ),
  mutant(
    '422',
    DESCRIPTION,
    'A body that breaks the contract is answered with 422.',
    refusing(400, (response) => showing({ ...response, status: 422 }, { ...jsonOf(response), status: 422 })),
  ),
  mutant(
    'status-differs',
    UNKNOWN,
    '`status` of a problem is another one than that of the answer.',
    problems(404, (value) => ({ ...value, status: 400 })),
  ),
  mutant(
    'status-text',
    UNKNOWN,
    '`status` of a problem is a text.',
    problems('any', (value) => ({ ...value, status: String(value['status']) })),
  ),
  ...['type', 'title', 'status', 'detail', 'code'].map((name) =>
    mutant(
      `without-${name}`,
      UNKNOWN,
      `A problem has no \`${name}\`.`,
      problems('any', (value) => without(value, name)),
    ),
  ),
  mutant(
    'code-unknown',
    UNKNOWN,
    '`code` is none of the list.',
    problems(404, (value) => ({ ...value, code: 'edge_not_found' })),
  ),
  mutant(
    'code-upper-case',
    DESCRIPTION,
    '`code` is in upper case.',
    problems(400, (value) => ({ ...value, code: String(value['code']).toUpperCase() })),
  ),
  mutant(
    'code-of-another-status',
    'sources.add-twice',
    '`code` belongs to another status.',
    problems(409, (value) => ({
      ...value,
      code: 'invalid_request',
      errors: [{ pointer: '/type', code: 'duplicate', detail: 'It is there.' }],
    })),
  ),
  mutant(
    'code-number',
    UNKNOWN,
    '`code` is a number.',
    problems('any', (value) => ({ ...value, code: value['status'] })),
  ),
  mutant(
    'type-with-space',
    UNKNOWN,
    '`type` is no URI reference.',
    problems('any', (value) => ({ ...value, type: 'not found' })),
  ),
  mutant(
    'title-empty',
    UNKNOWN,
    '`title` is empty.',
    problems('any', (value) => ({ ...value, title: '' })),
  ),
  mutant(
    'request-id-empty',
    UNKNOWN,
    '`request_id` is empty.',
    problems('any', (value) => ({ ...value, request_id: '' })),
  ),
  mutant(
    'instance-with-space',
    UNKNOWN,
    '`instance` is no URI reference.',
    problems('any', (value) => ({ ...value, instance: 'the request' })),
  ),
  mutant(
    'instance-null',
    UNKNOWN,
    '`instance` is null in place of being left out.',
    problems('any', (value) => ({ ...value, instance: null })),
  ),
  mutant(
    'without-errors',
    DESCRIPTION,
    '`invalid_request` does not name the errors.',
    problems(400, (value) => without(value, 'errors')),
  ),
  mutant(
    'errors-empty',
    DESCRIPTION,
    '`errors` is empty.',
    problems(400, (value) => ({ ...value, errors: [] })),
  ),
  mutant(
    'errors-text',
    DESCRIPTION,
    '`errors` is a list of texts.',
    problems(400, (value) => (Array.isArray(value['errors']) ? { ...value, errors: ['description'] } : value)),
  ),
  mutant(
    'errors-map',
    DESCRIPTION,
    '`errors` is a map by field.',
    problems(400, (value) =>
      Array.isArray(value['errors']) ? { ...value, errors: { description: ['is invalid'] } } : value,
    ),
  ),
  mutant(
    'errors-null',
    UNKNOWN,
    '`errors` is null where there are none.',
    problems('any', (value) => ({ ...value, errors: value['errors'] ?? null })),
  ),
  mutant(
    'malformed-for-invalid',
    DESCRIPTION,
    'A body that was read and breaks the contract is `malformed_request`.',
    problems(400, (value) => ({ ...without(value, 'errors'), code: 'malformed_request' })),
  ),
  mutant(
    'invalid-for-malformed',
    'createEdge.body.json',
    'A body that cannot be read is `invalid_request` without `errors`.',
    problems(400, (value) => (value['code'] === 'malformed_request' ? { ...value, code: 'invalid_request' } : value)),
  ),
  mutant(
    'pointer-elsewhere',
    DESCRIPTION,
    'The pointer names another property.',
    pointers(() => '/metadata'),
  ),
  mutant(
    'pointer-to-body',
    DESCRIPTION,
    'The pointer names the body, whatever is wrong.',
    pointers(() => ''),
  ),
  mutant(
    'pointer-dots',
    'createEdge.body.tls_termination.terminate_at.enum',
    'Pointers are written with dots.',
    pointers((pointer) => pointer.slice(1).replaceAll('/', '.')),
  ),
  mutant(
    'pointer-fragment',
    DESCRIPTION,
    'Pointers are written as fragments of a URI.',
    pointers((pointer) => `#${pointer}`),
  ),
  mutant(
    'pointer-without-slash',
    'createEventSource.body.type.pattern',
    'Pointers have no slash at their beginning.',
    pointers((pointer) => pointer.slice(1)),
  ),
  mutant(
    'pointer-of-model',
    'createEdge.body.description.x-max-bytes',
    'Pointers begin with `/body`.',
    pointers((pointer) => `/body${pointer}`),
  ),
  mutant(
    'pointer-camel-case',
    'createEdge.body.mutual_tls.certificate_authority_ids.type',
    'Pointers are in camel case.',
    pointers((pointer) => pointer.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())),
  ),
  mutant(
    'pointer-from-one',
    'createEdge.body.hostports.*.pattern',
    'Pointers stop at a list, and count on from its name.',
    pointers((pointer) => pointer.replace(/^\/hostports\/\d+$/, '/hostports0')),
  ),
  mutant(
    'pointer-and-parameter',
    DESCRIPTION,
    'An error has both a pointer and a parameter.',
    errors((error) => (error.pointer === undefined ? error : { ...error, parameter: 'body' })),
  ),
  mutant(
    'parameter-null',
    DESCRIPTION,
    'An error in the body has a parameter of null.',
    errors((error) => (error.pointer === undefined ? error : { ...error, parameter: null })),
  ),
  mutant(
    'neither-pointer-nor-parameter',
    DESCRIPTION,
    'An error has no place.',
    errors((error) => without(error, 'pointer', 'parameter')),
  ),
  mutant(
    'parameter-as-pointer',
    'listEventSources.query.limit.type',
    'A parameter is named by a pointer.',
    errors((error) =>
      error.parameter === undefined ? error : { ...without(error, 'parameter'), pointer: `/${error.parameter}` },
    ),
  ),
  mutant(
    'parameter-wrong',
    'listEventSources.query.limit.maximum',
    'Another parameter is named.',
    errors((error) => (error.parameter === undefined ? error : { ...error, parameter: 'cursor' })),
  ),
  mutant(
    'parameter-unnamed',
    'getEdge.query.unknown',
    'An unknown parameter is refused without its name.',
    errors((error) => (error.parameter === undefined ? error : { ...error, parameter: 'query' })),
  ),
  mutant(
    'error-code-unknown',
    DESCRIPTION,
    '`code` of an error is none of the list.',
    errors((error) => ({ ...error, code: 'invalid_type' })),
  ),
  mutant(
    'error-code-missing',
    DESCRIPTION,
    'An error has no `code`.',
    errors((error) => without(error, 'code')),
  ),
  mutant(
    'error-detail-missing',
    DESCRIPTION,
    'An error has no `detail`.',
    errors((error) => without(error, 'detail')),
  ),
  mutant(
    'stack-in-detail',
    UNKNOWN,
    'An error shows a stack trace.',
    detail('Error: no edge\n    at find (file:///app/edges.js:10:11)\n    at handle (file:///app/index.js:3:4)'),
  ),
  mutant(
    'stack-in-member',
    UNKNOWN,
    'A problem has a member with a stack trace.',
    problems('any', (value) => ({ ...value, stack: 'Traceback (most recent call last):\n  File "app.py", line 7' })),
  ),
  mutant(
    'path-in-detail',
    UNKNOWN,
    'An error shows a path of the service.',
    detail('ENOENT: no such file or directory, open /var/lib/edges/x.json'),
  ),
  mutant(
    'path-in-error',
    DESCRIPTION,
    'An error shows a path of the service.',
    errors((error) => ({ ...error, detail: 'schema /srv/app/openapi.yaml says so' })),
  ),
  mutant(
    'java-trace',
    UNKNOWN,
    'An error shows a stack trace of Java.',
    detail('java.lang.NullPointerException\n\tat com.example.Edges(Edges.java:42)'),
  ),
  mutant(
    'not-found-500',
    UNKNOWN,
    'Whatever is not found is answered with 500.',
    instead(['getEdge'], async (next, request) => {
      const response = await next(request);
      return response.status === 404 ? problem(500, 'internal_error') : response;
    }),
  ),
  mutant(
    'conflict-html',
    'sources.add-twice',
    'A 409 is a page in HTML.',
    refusing(409, () => html(409, 'Conflict')),
  ),
  mutant(
    'too-large-html',
    'createEdge.body.size',
    'A 413 is a page in HTML, as of a proxy.',
    refusing(413, () => html(413, 'Request Entity Too Large')),
  ),
  mutant(
    'unsupported-html',
    'createEventSource.415',
    'A 415 is a page in HTML.',
    refusing(415, () => html(415, 'Unsupported Media Type')),
  ),
  mutant(
    'not-acceptable-html',
    'getEventSource.406',
    'A 406 is a page in HTML.',
    refusing(406, () => html(406, 'Not Acceptable')),
  ),
  mutant(
    'one-error-elsewhere',
    'updateEventSource.body.type.pattern',
    'An update names an error where there is none.',
    instead('updateEventSource', async (next, request) => {
      const response = await next(request);
      return response.status === 400 ? invalid('/name', 'format') : response;
    }),
  ),
];
