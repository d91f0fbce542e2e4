/** Levels and origins are shown on demand. */
const KEY = 'show-origins';
const root = document.documentElement;

/** @param isShown when omitted, as it was chosen before */
function showOrigins(isShown?: boolean): void {
  root.toggleAttribute('data-origins', isShown ?? false);
  try {
    if (isShown === undefined) {
      root.toggleAttribute('data-origins', localStorage.getItem(KEY) === 'true');
    } else {
      localStorage.setItem(KEY, String(isShown));
    }
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

/** A link to a record shows it. */
function showTarget(): void {
  if (/^#\/(?:about|decision)-/.test(location.hash)) {
    showOrigins(true);
  }
}

export function offerOrigins(): void {
  showOrigins();
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.toggle-origins') : null;
    if (button !== null) {
      showOrigins(button.getAttribute('data-when') === 'hidden');
    }
  });
  addEventListener('hashchange', showTarget);
  // Redoc changes the address without an event when a link within the page is followed.
  document.addEventListener('click', () => setTimeout(showTarget), true);
  showTarget();
}
