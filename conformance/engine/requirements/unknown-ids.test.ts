/** Ids that nothing has are long, random and valid. */
import { expect, test } from 'vitest';
import { serviceOf } from '../http/service.test.fixture.ts';
import { unknownPath } from './unknown-ids.ts';

/** Values of `unknownPath` for a parameter with these rules. */
function unknownIds(rules: string, example: string): (string | undefined)[] {
  const paths = `
  /a/{id}:
    delete:
      operationId: remove
      parameters:
        - name: id
          in: path
          required: true
          schema: {type: string, ${rules}}
          example: '${example}'
      responses: {204: {description: Removed.}}`;
  const { session } = serviceOf(paths, () => ({ status: 204 }));
  const { contract } = session.implementation;
  const one = () => unknownPath(contract, session.operation('remove'))?.['id'];
  return Array.from({ length: 100 }, one);
}

test('the form of an example is kept where a pattern asks for some of its letters', () => {
  const ids = unknownIds(`pattern: '^[a-z_]+\\.v[0-9]$'`, 'ip_policy_created.v0');
  for (const id of ids) {
    expect(id).toMatch(/^[a-z]{2}_[a-z]{6}_[a-z]{7}\.v\d$/);
  }
  expect(new Set(ids).size).toBe(ids.length);
});

test('no id is made up where too few characters of an example are free', () => {
  const ids = unknownIds(`pattern: '^item-with-a-number-[0-9]{3}$'`, 'item-with-a-number-007');
  expect(new Set(ids)).toEqual(new Set([undefined]));
});
