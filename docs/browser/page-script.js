/**
 * The page's own script, embedded in it before Redoc's. It needs no network.
 *
 * - Served by a server of this API, all samples carry the address of that server.
 * - The menu of examples switches the sample: Redoc's build calls `pageSample` (docs/page/redoc.ts).
 * - Levels and origins are shown on demand.
 */
{
  /** @type {{ base: string, samples: Record<string, Record<string, Record<string, string>>> }} */
  const { base, samples } = JSON.parse(/** @type {Element} */ (document.getElementById('page-data')).textContent ?? '');
  const root = document.documentElement;

  // A server of this API serves the page at /docs, below its base address; elsewhere the page is a file like any other.
  const [, served] = /^(https?:.*)\/docs$/.exec(location.origin + location.pathname) ?? [];
  const address = served ?? base;
  /** @param {string} text */
  const localized = (text) => text.replaceAll(base, address);

  const rendered = /** @type {Element} */ (document.getElementById('redoc'));
  if (address !== base) rendered.innerHTML = localized(rendered.innerHTML);

  Object.assign(globalThis, {
    /** @param {unknown} definition what Redoc shows */
    pageDefinition: (definition) => (address === base ? definition : JSON.parse(localized(JSON.stringify(definition)))),

    /**
     * @param {{ method: string, path: string }} operation
     * @param {{ label: string, source: string }} sample the first one of its language
     * @param {string} [example] id of the chosen one
     */
    pageSample({ method, path }, { label, source }, example = '') {
      const found = samples[`${method.toUpperCase()} ${path}`]?.[label];
      const chosen = found?.[example.split('/').at(-1) ?? ''];
      return chosen === undefined ? source : localized(chosen);
    },
  });

  const KEY = 'show-origins';
  /** @param {boolean} shown */
  function showOrigins(shown) {
    root.toggleAttribute('data-origins', shown);
    try {
      localStorage.setItem(KEY, String(shown));
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  }
  try {
    root.toggleAttribute('data-origins', localStorage.getItem(KEY) === 'true');
  } catch {
    // As above.
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.toggle-origins') : null;
    if (button !== null) showOrigins(button.getAttribute('data-when') === 'hidden');
  });
  /** A link to a record shows it. */
  function showTarget() {
    if (/^#\/(?:about|decision)-/.test(location.hash)) showOrigins(true);
  }
  addEventListener('hashchange', showTarget);
  // Redoc changes the address without an event when a link within the page is followed.
  document.addEventListener('click', () => setTimeout(showTarget), true);
  showTarget();

  /** @param {Element} block of code */
  async function copy(block) {
    if (navigator.clipboard) return navigator.clipboard.writeText(block.textContent ?? '');
    // Browsers offer no clipboard to a page that came over plain http from another machine.
    getSelection()?.selectAllChildren(block);
    document.execCommand('copy');
  }

  /** Redoc has a button for samples, and none for a block of code in a text. */
  function addCopyButtons() {
    for (const block of document.querySelectorAll('pre[data-language]:not([tabindex])')) {
      block.setAttribute('tabindex', '0');
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy-code';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        await copy(block);
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 1500);
      });
      block.before(button);
    }
  }

  // Redoc's menus open with Enter, and have no other keys.
  document.addEventListener(
    'keydown',
    (event) => {
      const { target, key } = event;
      const button = document.querySelector('button[aria-haspopup="menu"][aria-expanded="true"]');
      if (!(button instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
      const entries = [...document.querySelectorAll('[role="menuitem"]')].filter(
        /** @returns {entry is HTMLElement} */ (entry) => entry.getClientRects().length > 0,
      );
      const at = entries.indexOf(target);
      if (at < 0 && target !== button) return;
      if (key === 'ArrowDown') entries[(at + 1) % entries.length]?.focus();
      else if (key === 'ArrowUp') entries.at(at < 0 ? -1 : at - 1)?.focus();
      else if (key === 'Escape' || (at >= 0 && (key === 'Enter' || key === ' '))) {
        if (key === 'Escape') button.click();
        else target.click();
        button.focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

  /** The Tab key reaches tables that scroll. */
  function makeTablesReachable() {
    for (const table of document.querySelectorAll('.md-table-wrapper:not([tabindex])'))
      table.setAttribute('tabindex', '0');
  }

  /** Redoc opens the search by a click or Ctrl+K alone. */
  function makeSearchReachable() {
    const trigger = document.querySelector('[data-testid="search-trigger"]:not([role])');
    if (!(trigger instanceof HTMLElement)) return;
    trigger.setAttribute('role', 'button');
    trigger.tabIndex = 0;
    trigger.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      trigger.click();
    });
  }

  // Redoc renders a part of the page when it becomes visible.
  function improve() {
    addCopyButtons();
    makeTablesReachable();
    makeSearchReachable();
  }
  new MutationObserver(improve).observe(document.body, { childList: true, subtree: true });
}
