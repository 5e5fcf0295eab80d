"""Watch a page: nothing may be said on the console, break, be refused by a policy, or be asked elsewhere."""

from playwright.sync_api import BrowserContext, Page

SCRIPT = """
document.addEventListener('securitypolicyviolation',
  (e) => console.error(`policy ${e.violatedDirective} refused ${e.blockedURI}`));
"""


class Watch:
    """What one page said and asked for."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.troubles: list[str] = []
        self.requests: list[str] = []

    def over(self, page: Page) -> None:
        """Listen to a page."""
        page.on("console", lambda message: self.troubles.append(f"{page.url} console: {message.text}"))
        page.on("pageerror", lambda error: self.troubles.append(f"{page.url} error: {error}"))
        page.on("request", lambda request: self.asked(request.url))

    def asked(self, url: str) -> None:
        """Note a request; one that leaves the folder is trouble. Pictures in `data:` ask nobody."""
        self.requests.append(url)
        if not url.startswith((self.home, "data:")):
            self.troubles.append(f"request: {url}")

    def assert_quiet(self) -> None:
        """Fail with all that went wrong."""
        assert self.troubles == []


def watched_page(context: BrowserContext, home: str) -> tuple[Page, Watch]:
    """A page of this context under watch, and the watch."""
    context.add_init_script(SCRIPT)
    page, watch = context.new_page(), Watch(home)
    watch.over(page)
    return page, watch
