/** Names that Swagger UI does not give to readers who hear the page, or who have no mouse. */

type Attributes = Record<string, string>;

const named = (name: string): Attributes => ({ 'aria-label': name });

/** An attribute that an element gets if it lacks it. */
const MISSING: Record<string, Attributes> = {
  '.servers input[data-variable]': named('Base address of the server'),
  'select:is(.content-type, [id$="_select"]), .content-type-wrapper select': named('Media type'),
  '.examples-select select': named('Example'),
  'textarea.body-param__text': named('Request body'),
  '.parameters select': named('Value'),
  '.auth-container input': named('Token'),
  'button.close-modal': named('Close the dialog'),
  // Code that scrolls is reached by the Tab key.
  'pre.microlight': { tabindex: '0' },
  // Below the title, which has level 1.
  '.servers h4': { 'aria-level': '2' },
  '.information-container': { role: 'region', 'aria-label': 'About' },
  '.scheme-container': { role: 'region', 'aria-label': 'Server and token' },
};

/** Names that do not begin with the text that is seen. */
const RENAMED: Record<string, string> = {
  'button[aria-label="Apply credentials"]': 'Authorize with this token',
  'button[aria-label="Remove authorization"]': 'Logout: remove the token',
};

export function improveNames(): void {
  for (const [place, attributes] of Object.entries(MISSING)) {
    for (const element of document.querySelectorAll(`#console :is(${place})`)) {
      complete(element, attributes);
    }
  }
  for (const [place, name] of Object.entries(RENAMED)) {
    for (const element of document.querySelectorAll(`#console ${place}`)) {
      element.setAttribute('aria-label', name);
    }
  }
  // The path of an operation is a link within the button that opens it: it cannot be reached.
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) {
    link.removeAttribute('href');
  }
}

function complete(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!element.hasAttribute(name) && !element.hasAttribute('aria-labelledby')) {
      element.setAttribute(name, value);
    }
  }
}
