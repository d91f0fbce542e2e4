/** Reads what the server sent as responses of HTTP, and finds what is wrong with them. */

/** Of the contract; a response that HTTP has and the contract has not carries `malformed_request`. */
const SERVER_ERRORS = new Set([500, 502, 503, 504]);

export function readResponses(bytes: Buffer): { statuses: number[]; problems: string[] } {
  const statuses: number[] = [];
  const problems: string[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.subarray(0, end).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    // The client may have cut the connection in the middle of a response.
    if (end < 0) break;
    if (!status) {
      problems.push(`no HTTP response: ${JSON.stringify(head.slice(0, 60))}`);
      break;
    }
    const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    if (status === 100) continue;
    statuses.push(status);
    if (SERVER_ERRORS.has(status)) problems.push(`response ${status}`);
    if (status >= 400 && body.length === length && length > 0)
      problems.push(...bodyProblems(status, head, body.toString()));
  }
  return { statuses, problems };
}

function bodyProblems(status: number, head: string, text: string): string[] {
  if (!/^content-type: application\/problem\+json/im.test(head)) return [`${status} without a problem`];
  try {
    const problem = JSON.parse(text) as Record<string, unknown>;
    const whole =
      problem['status'] === status && typeof problem['code'] === 'string' && typeof problem['request_id'] === 'string';
    return whole ? [] : [`${status} with half a problem`];
  } catch {
    return [`${status} with a problem that is not JSON`];
  }
}
