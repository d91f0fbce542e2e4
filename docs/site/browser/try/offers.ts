/** Ids of resources that responses have shown, offered to requests that need one. */

/** The latest first, by the name of the parameter. */
const known = new Map<string, string[]>();
/** So many are offered. */
const MOST = 3;

/**
 * Notes the ids in each `uri` of a response.
 * @param paths of the contract, such as `/edges/https/{edge_id}`
 */
export function rememberIds(body: unknown, paths: readonly string[]): void {
  const patterns = paths.map(patternOf);
  for (const uri of urisIn(body)) {
    for (const pattern of patterns) {
      for (const [name, value] of Object.entries(pattern.exec(uri)?.groups ?? {})) {
        remember(name, decodeURIComponent(value));
      }
    }
  }
  offerIds();
}

/** Matches an absolute URI that ends in the path, with each parameter as a group. */
export function patternOf(path: string): RegExp {
  const groups = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?]+)');
  return new RegExp(`^https?://.*${groups}$`);
}

function* urisIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  // From the end: the first of a list is the latest.
  for (const [name, one] of Object.entries(value).toReversed()) {
    if (name === 'uri' && typeof one === 'string') {
      yield one;
    } else {
      yield* urisIn(one);
    }
  }
}

function remember(name: string, value: string): void {
  const others = (known.get(name) ?? []).filter((one) => one !== value);
  known.set(name, [value].concat(others).slice(0, MOST));
}

/** Buttons below each field whose ids are known. */
export function offerIds(): void {
  for (const [name, values] of known) {
    for (const row of document.querySelectorAll(`tr[data-param-name="${name}"]`)) {
      const input = row.querySelector('input');
      if (input !== null) {
        offer(input, values);
      }
    }
  }
}

function offer(input: HTMLInputElement, values: readonly string[]): void {
  const key = values.join(' ');
  const before = input.parentElement?.querySelector<HTMLElement>('.offers');
  if (before?.dataset['values'] === key) {
    return;
  }
  before?.remove();
  const offers = document.createElement('div');
  offers.className = 'offers';
  offers.dataset['values'] = key;
  for (const value of values) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = value;
    button.setAttribute('aria-label', `Use ${value}`);
    button.addEventListener('click', () => fill(input, value));
    offers.append(button);
  }
  input.after(offers);
}

/** As a person would: React notices a value that is set by its own setter only. */
function fill(input: HTMLInputElement, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  input.focus();
  setter?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  // Swagger UI takes a value after a pause, or when the focus leaves.
  input.blur();
}
