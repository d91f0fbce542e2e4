/**
 * The page's own script. Redoc's calls `pageDefinition`, `pageSample` and `pageHits` of it
 * (docs/site/page/redoc.yaml).
 */
{
  /**
   * @typedef {{ fields: string[], parameter?: { name: string, description: string } | undefined }}
   * Match
   */
  /** @typedef {{ document: { id: string, title: string, text: string }, match: Match }} Hit */
  /**
   * @type {{ base: string, samples: Record<string, Record<string, Record<string, string>>>,
   * sections: string[][] }}
   */
  const { base, samples, sections } = JSON.parse(
    document.getElementById('page-data')?.textContent ?? '',
  );
  const [using = [], guides = []] = sections;
  const root = document.documentElement;
  /** An ending that other forms of a word do not have. */
  const SUFFIX = /(?<=...)(?:ies|ing|ed|es|[esy])$/;

  // A server of this API serves the page at /docs, below its base address; elsewhere the page is a
  // file like any other.
  const [, served] = /^(https?:.*)\/docs$/.exec(location.origin + location.pathname) ?? [];
  /** @param {string} text */
  const localized = (text) => {
    if (served) {
      return text.replaceAll(base, served).replaceAll('try.html?', 'try?');
    }
    return text;
  };

  const rendered = /** @type {Element} */ (document.getElementById('redoc'));
  if (served) {
    rendered.innerHTML = localized(rendered.innerHTML);
  }

  Object.assign(globalThis, {
    /** @param {unknown} definition what Redoc shows */
    pageDefinition: (definition) => {
      if (served) {
        return JSON.parse(localized(JSON.stringify(definition)));
      }
      return definition;
    },

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

    /**
     * Titles first, sections before operations; then the sections on using the API, and all others
     * as Redoc orders them. The same field of several operations is one hit.
     * @param {Hit[]} hits
     * @param {string[]} words of the query
     */
    pageHits(hits, words) {
      const stems = words.map((word) => word.replace(SUFFIX, ''));
      /** @param {Hit} hit */
      const rank = ({ document: { id, title, text } }) => {
        const [, tag = ''] = id.split('/');
        const inTitle = title.toLowerCase().split(/[^\w-]+/);
        if (stems.every((stem) => inTitle.some((word) => word.startsWith(stem)))) {
          if (using.includes(tag)) {
            return 4;
          }
          return guides.includes(tag) ? 3 : 2;
        }
        if (!using.includes(tag)) {
          return 0;
        }
        const occurrences = stems.map((stem) => text.toLowerCase().split(stem).length - 1);
        const sum = occurrences.reduce((total, count) => total + count, 0);
        return 1 + sum / text.length;
      };
      for (const { document, match } of hits) {
        // A part of a guide is a parameter of itself: its text would be there twice.
        if (match.parameter?.name === document.title) {
          match.parameter = undefined;
        }
        if (!match.parameter) {
          match.fields = match.fields.filter((field) => field !== 'parameters');
        }
      }
      const seen = new Set();
      return hits
        .filter(({ document: { id }, match: { fields, parameter } }) => {
          const isField =
            parameter !== undefined && !fields.includes('title') && !fields.includes('text');
          const key = isField ? `${parameter.name}\n${parameter.description}` : id;
          return !seen.has(key) && seen.add(key);
        })
        .sort((one, other) => rank(other) - rank(one));
    },
  });

  // Levels and origins are shown on demand.
  const KEY = 'show-origins';
  /** @param {boolean} [shown] when omitted, as it was chosen before */
  function showOrigins(shown) {
    root.toggleAttribute('data-origins', shown ?? false);
    try {
      if (shown === undefined) {
        root.toggleAttribute('data-origins', localStorage.getItem(KEY) === 'true');
      } else {
        localStorage.setItem(KEY, String(shown));
      }
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  }
  showOrigins();
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.toggle-origins') : null;
    if (button !== null) {
      showOrigins(button.getAttribute('data-when') === 'hidden');
    }
  });
  /** A link to a record shows it. */
  function showTarget() {
    if (/^#\/(?:about|decision)-/.test(location.hash)) {
      showOrigins(true);
    }
  }
  addEventListener('hashchange', showTarget);
  // Redoc changes the address without an event when a link within the page is followed.
  document.addEventListener('click', () => setTimeout(showTarget), true);
  showTarget();

  /** @param {Element} block of code */
  async function copy(block) {
    if (navigator.clipboard) {
      return navigator.clipboard.writeText(block.textContent ?? '');
    }
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
      button.addEventListener('click', () => copy(block));
      block.before(button);
    }
  }

  // On a phone, Redoc's search is in the menu alone.
  const own = document.createElement('div');
  own.innerHTML = `<div role="status"></div>
<div role="search"><button type="button" class="open-search">Search</button></div>`;
  const [status, search] = own.children;
  document.body.append(...own.children);

  /** What a button copies. The first place that has it counts. */
  const COPIES = Object.entries({
    '[data-testid="page-actions"] button': 'this part of the contract as YAML',
    '.copy-code': 'this example',
    '.panel-request-samples [data-component-name^="CodeBlock/"] [data-testid="copy-button"]':
      'the request',
    '[data-component-name^="CodeBlock/"] [data-testid="copy-button"]': 'the response',
    '[data-testid="copy-button"]': 'the address',
  });
  /** Each says what it copies, and then that it has. */
  function nameCopyButtons() {
    for (const [place, content] of COPIES) {
      for (const button of document.querySelectorAll(`${place}:not([aria-label^="Copy "])`)) {
        button.setAttribute('aria-label', `Copy ${content}`);
        button.addEventListener('click', () => {
          status?.replaceChildren(`Copied ${content}.`);
          setTimeout(() => status?.replaceChildren(), 3000);
        });
      }
    }
  }

  // Redoc's menus open with Enter, and have no other keys.
  document.addEventListener(
    'keydown',
    (event) => {
      const { target, key } = event;
      const button = document.querySelector('button[aria-haspopup="menu"][aria-expanded="true"]');
      if (!(button instanceof HTMLElement) || !(target instanceof HTMLElement)) {
        return;
      }
      const entries = [...document.querySelectorAll('[role="menuitem"]')].filter(
        /** @returns {entry is HTMLElement} */ (entry) => entry.getClientRects().length > 0,
      );
      const at = entries.indexOf(target);
      if (at < 0 && target !== button) {
        return;
      }
      if (key === 'ArrowDown') {
        entries[(at + 1) % entries.length]?.focus();
      } else if (key === 'ArrowUp') {
        entries.at(at < 0 ? -1 : at - 1)?.focus();
      } else if (key === 'Escape' || (at >= 0 && (key === 'Enter' || key === ' '))) {
        if (key === 'Escape') {
          button.click();
        } else {
          target.click();
        }
        button.focus();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

  /** Redoc opens the search by a click or Ctrl+K alone. */
  function makeSearchReachable() {
    const trigger = document.querySelector('[data-testid="search-trigger"]:not([role])');
    if (!(trigger instanceof HTMLElement)) {
      return;
    }
    trigger.setAttribute('role', 'button');
    trigger.tabIndex = 0;
    trigger.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') {
        return;
      }
      event.preventDefault();
      trigger.click();
    });
  }

  search?.addEventListener('click', () => {
    const trigger = document.querySelector('[data-testid="search-trigger"]');
    if (trigger instanceof HTMLElement) {
      trigger.click();
    }
  });

  function nameParts() {
    const menu = document.querySelector('[data-component-name="Menu/Menu"]')?.parentElement
      ?.parentElement;
    menu?.setAttribute('role', 'navigation');
    const dialog = document.querySelector('[data-testid="search-dialog"]:not([role])');
    for (const [name, value] of Object.entries({
      role: 'dialog',
      'aria-modal': 'true',
      'aria-label': 'Search',
    })) {
      dialog?.setAttribute(name, value);
    }
    document
      .querySelector('[data-testid="search-dialog"] header button')
      ?.setAttribute('aria-label', 'Clear');
  }

  const name = document.title;
  function followSection() {
    // The label has the method, too.
    const label = document.querySelector(
      '[data-testid="menu-item-label"][data-active="true"] [data-text]',
    );
    const section = label?.getAttribute('data-text') ?? '';
    const title = section === '' || name.startsWith(section) ? name : `${section} – ${name}`;
    if (document.title !== title) {
      document.title = title;
    }
  }

  // Redoc renders a part of the page when it becomes visible.
  function improve() {
    addCopyButtons();
    nameCopyButtons();
    // The Tab key reaches tables that scroll.
    for (const table of document.querySelectorAll('.md-table-wrapper')) {
      table.setAttribute('tabindex', '0');
    }
    makeSearchReachable();
    nameParts();
    followSection();
  }
  new MutationObserver(improve).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['data-active'],
  });
}
