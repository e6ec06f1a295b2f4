"""Webhooks: each event is posted as signed JSON to the address that the URL's host resolves to at that moment."""

from collections.abc import Sequence

import httpx

from emberkeep.clock import Clock
from emberkeep.errors import InvalidInput
from emberkeep.events.addresses import Forbidden, place_of, resolve
from emberkeep.events.relay import Failure, Sent
from emberkeep.events.signature import headers_of
from emberkeep.model.events import Event, Webhook

TIMEOUT_S = 10.0
_LATER = frozenset({408, 425, 429})  # client errors that say "not now" rather than "not this"


class WebhookSender:
    """Makes the sinks of webhooks, which share one connection pool."""

    def __init__(self, clock: Clock, *, private: bool, attempts: int) -> None:
        self._clock = clock
        self._private = private
        self._attempts = attempts
        # Neither a redirect nor a proxy from the environment may lead to an address that was not checked.
        self._client = httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False)

    def sink(self, webhook: Webhook) -> "WebhookSink":
        """The sink of one webhook."""
        return WebhookSink(self, webhook, self._attempts)

    def post(self, webhook: Webhook, event: Event) -> Failure | None:
        """Post one event; returns the failure, or `None` on success."""
        try:
            request = self._request(webhook, event)
            response = self._client.send(request, stream=True)  # the body of the response is not read
            response.close()
        except (Forbidden, InvalidInput) as error:
            return Failure(str(error), refused=True)
        except (httpx.HTTPError, OSError) as error:
            return Failure(f"{type(error).__name__}: {error}")
        if response.is_success:
            return None
        status = response.status_code
        return Failure(f"HTTP {status}", refused=status < 500 and status not in _LATER)  # noqa: PLR2004 - server errors

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _request(self, webhook: Webhook, event: Event) -> httpx.Request:
        place = place_of(webhook.url, private=self._private)
        address = resolve(place, private=self._private)
        url = httpx.URL(webhook.url)
        body = event.to_json().encode()
        headers = {
            "host": url.netloc.decode(),
            "content-type": "application/json",
            "user-agent": "emberkeep",
            **headers_of(webhook.secret, event.id, body, self._clock.now()),
        }
        extensions = {"sni_hostname": place.host}
        return self._client.build_request(
            "POST", url.copy_with(host=address), content=body, headers=headers, extensions=extensions
        )


class WebhookSink:
    """Posts events one by one."""

    at_once = 10
    lease_s = 15.0 * at_once
    longest_pause_s = 3_600.0

    def __init__(self, sender: WebhookSender, webhook: Webhook, attempts: int) -> None:
        self._sender = sender
        self._webhook = webhook
        self.attempts: int | None = attempts

    def close(self) -> None:
        """Do nothing: the connections belong to the sender."""

    def send(self, events: Sequence[Event]) -> Sent:
        """Post events in order, stopping at the first that fails."""
        for count, event in enumerate(events):
            failure = self._sender.post(self._webhook, event)
            if failure is not None:
                return Sent(count, failure)
        return Sent(len(events))
