import { describe, expect, it } from 'vitest';
import { NoResponse } from '../http/response.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import { causeOf } from './cause.ts';

const RULE = { clause: '/components/schemas/Edge/properties/description/maxLength' };
const response = (status: number, type: string) => ({ status, headers: { 'content-type': type }, body: '' });
const status = (expected: string, got: number, why = 'The body breaks a rule.') =>
  new Nonconformity(`${why} Expected ${expected}, got ${got}.`, { expected, got: String(got), kind: 'status' });

describe('the cause of a failure', () => {
  it('is the status and the media type that came, whatever was sent and whichever refusal was due', () => {
    const causes = [
      status('400', 422),
      status('400 or 404', 422, 'The path is wrong.'),
      status('409', 422),
      status('201 or 400', 422),
    ].map((error) => causeOf(error, RULE, response(422, 'application/json; charset=utf-8')));
    expect(new Set(causes)).toEqual(new Set(['Refused with 422, application/json in place of the documented status']));
  });

  it('is a failure of the service, whatever was due', () => {
    const causes = [status('400', 500), status('201', 500), status('200 or 404', 500)].map((error) =>
      causeOf(error, RULE, response(500, 'application/problem+json')),
    );
    expect(new Set(causes)).toEqual(new Set(['The service failed: 500, application/problem+json']));
  });

  it('is the keyword of the rule, where a request is accepted that breaks it', () => {
    expect(causeOf(status('400', 201), RULE, response(201, 'application/json'))).toBe(
      'Expected 400, got 201 (maxLength)',
    );
  });

  it('is what an error names itself, where a valid request is refused', () => {
    const error = new Nonconformity(
      'It is valid. Expected 201, got 400 invalid_request: format at /saml/idp_metadata.',
      {
        expected: '201',
        got: '400',
        kind: 'status',
      },
    );
    expect(causeOf(error, RULE, response(400, 'application/problem+json'))).toBe(
      'Expected 201, got 400 invalid_request: format at /saml/idp_metadata (application/problem+json)',
    );
  });

  it('is the same for all places in a list and for all lengths', () => {
    const at = (place: number) =>
      causeOf(new Nonconformity(`A list is wrong (at /items/${place}/id)`, { expected: '', got: '' }), RULE, undefined);
    expect(at(3)).toBe(at(41));
  });

  it('is the kind of silence', () => {
    expect(causeOf(new NoResponse('late', 'no response within 10000 ms'), RULE, undefined)).toBe(
      'No response: no response within * ms',
    );
  });
});
