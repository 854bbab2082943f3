// Addresses: every place of the page has one, and going back works.

/** Where the page is. */
class Place {
  path = $state(location.pathname);
  search = $state(location.search);

  constructor() {
    history.scrollRestoration = "manual";
    addEventListener("popstate", (event) => {
      this.read();
      scrollBack(Number(event.state?.scroll ?? 0));
    });
  }

  private read() {
    this.path = location.pathname;
    this.search = location.search;
  }

  /** Goes to an address within the page. */
  go(address: string, replace = false) {
    if (replace) history.replaceState(null, "", address);
    else {
      // The entry that is left knows how far it was scrolled.
      history.replaceState({ scroll: scrollY }, "");
      history.pushState(null, "", address);
    }
    this.read();
  }
}

/** Scrolls to where an entry was left, as soon as the page is long enough again. */
function scrollBack(to: number, tries = 90) {
  scrollTo(0, to);
  if (tries > 0 && Math.abs(scrollY - to) > 2) requestAnimationFrame(() => scrollBack(to, tries - 1));
}

export const place = new Place();

/** Follows links within the page without loading it anew. */
export function follow(event: MouseEvent) {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.target || link.hasAttribute("download")) return;
  if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  place.go(link.pathname + link.search);
  scrollTo(0, 0);
}
