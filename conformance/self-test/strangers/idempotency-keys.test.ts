/** A service that knows a request by its key, which its contract requires. */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const BODY = '{application/json: {schema: {$ref: "#/components/schemas/Payment"}}}';

const SAME =
  'A request with the key of an earlier one is not executed, and gets the same response.';

const CONTRACT = `
openapi: 3.1.0
info: {title: Payments, version: '1'}
paths:
  /payments:
    get:
      operationId: list
      responses:
        '200':
          description: All of them.
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Payment'}}
    post:
      operationId: pay
      parameters:
        - name: Idempotency-Key
          in: header
          required: true
          description: ${SAME}
          schema: {type: string, minLength: 1, maxLength: 64}
      requestBody: {required: true, content: ${BODY}}
      responses:
        '201': {description: It., content: ${BODY}}
        '400': {description: It is refused.}
        '422': {description: The key was used with a different payload.}
  /payments/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: show
      responses:
        '200': {description: It., content: ${BODY}}
        '404': {description: There is none.}
    delete:
      operationId: cancel
      responses:
        '204': {description: It is gone.}
        '404': {description: There is none.}
components:
  schemas:
    Payment:
      type: object
      required: [payee]
      properties:
        id: {type: string, readOnly: true}
        payee: {type: string, minLength: 3, maxLength: 40}
`;

interface Errors {
  forgetsKeys?: boolean;
  /** The response is that of the first request, and the payment is made again. */
  paysTwice?: boolean;
  takesOtherBodies?: boolean;
  refusesRepetitions?: boolean;
}

interface Known {
  text: string;
  reply: Reply;
}

class Payments {
  readonly #errors: Errors;
  readonly #payments = new Map<string, { id: string; payee: string }>();
  readonly #known = new Map<string, Known>();
  #count = 0;

  constructor(errors: Errors) {
    this.#errors = errors;
  }

  readonly handle: Handler = (call): Reply => {
    const { method, path } = call;
    const [, , id = ''] = path.split('/');
    const reads = method === 'GET' || method === 'HEAD';
    if (id === '' && reads) {
      return [200, [...this.#payments.values()]];
    }
    if (id === '') {
      return method === 'POST' ? this.#pay(call) : [405];
    }
    const payment = this.#payments.get(decodeURIComponent(id));
    if (payment === undefined) {
      return [404];
    }
    if (reads) {
      return [200, payment];
    }
    this.#payments.delete(payment.id);
    return [204];
  };

  #pay({ headers, json, text }: Call): Reply {
    const { forgetsKeys, paysTwice, takesOtherBodies, refusesRepetitions } = this.#errors;
    const key = String(headers['idempotency-key'] ?? '');
    const payee: unknown = Object(json).payee;
    const isPayee = typeof payee === 'string' && [...payee].length >= 3 && [...payee].length <= 40;
    if (key === '' || key.length > 64 || !isPayee) {
      return [400];
    }
    const before = this.#known.get(key);
    if (before !== undefined && !forgetsKeys) {
      const isOther = before.text !== text && !takesOtherBodies;
      if (paysTwice) {
        this.#make(payee);
      }
      return isOther || refusesRepetitions ? [422] : before.reply;
    }
    const reply: Reply = [201, this.#make(payee)];
    this.#known.set(key, { text, reply });
    return reply;
  }

  #make(payee: string): { id: string; payee: string } {
    this.#count += 1;
    const id = `payment-${this.#count}-${'x'.repeat(12)}`;
    this.#payments.set(id, { id, payee });
    return { id, payee };
  }
}

test('each request has its own key, so that all laws of what is made are tried', async () => {
  const { report, passed } = await runOn(new Payments({}).handle, CONTRACT, ['--runs', '1']);
  expect(report.findings).toEqual([]);
  expect(passed).toEqual(
    expect.arrayContaining(['pay.idempotency-key', 'pay.201', 'pay.items.read-your-write']),
  );
});

const ONLY = ['--only', '*.idempotency-key'];
const LAW = ['pay.idempotency-key'];

test.each<[string, Errors]>([
  ['a request that is executed again', { forgetsKeys: true }],
  ['a request that is executed again behind the same response', { paysTwice: true }],
  ['the key of a request with another body', { takesOtherBodies: true }],
  ['a refusal in place of the same response', { refusesRepetitions: true }],
])('%s is found', async (_, errors) => {
  const { broken } = await runOn(new Payments(errors).handle, CONTRACT, ONLY);
  expect(broken).toEqual(LAW);
});

test('a request that is not executed again may be refused, if nothing else is said', async () => {
  const contract = CONTRACT.replace(SAME, 'A request is never processed twice.');
  const refusing = new Payments({ refusesRepetitions: true });
  const { broken, passed } = await runOn(refusing.handle, contract, ONLY);
  expect(broken).toEqual([]);
  expect(passed).toEqual(LAW);
});

test('without a word about repetitions, none is tried', async () => {
  const contract = CONTRACT.replace(SAME, 'A unique key.').replace('The key was used', 'Wrong');
  const { report } = await runOn(new Payments({ forgetsKeys: true }).handle, contract);
  const ids = report.requirements.map(({ id }) => id);
  expect(ids).toContain('pay.201');
  expect(ids).not.toContain('pay.idempotency-key');
});
