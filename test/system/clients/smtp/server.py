"""Mail server that keeps its mails in a file, and can be told to misbehave: see test/system/real/programs/smtp.ts."""

import asyncio
import json
import pathlib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

port, folder, user, password, certificate = sys.argv[1:6]
folder = pathlib.Path(folder)


def mood():
    """What the next mail comes to: taken, cut, refused or later."""
    file = folder / "mood"
    return file.read_text() if file.exists() else "taken"


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused@"):
            return "550 5.1.1 no such mailbox"
        if address.startswith("later@"):
            return "450 4.2.1 come again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        now = mood()
        if now == "refused":
            return "554 5.7.1 not wanted"
        if now == "later":
            return "451 4.3.0 come again later"
        mail = {"from": envelope.mail_from, "to": envelope.rcpt_tos, "content": envelope.content.decode("latin-1")}
        with (folder / "mails.jsonl").open("a") as file:
            file.write(json.dumps(mail) + "\n")
        if now == "cut":
            server.transport.abort()
            await asyncio.sleep(60)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login.decode(), data.password.decode()) == (user, password), handled=False)


def factory():
    loop = asyncio.get_running_loop()
    if not user:
        return SMTP(Handler(), loop=loop, ident="test")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate)
    return SMTP(
        Handler(),
        loop=loop,
        ident="test",
        tls_context=context,
        require_starttls=True,
        authenticator=authenticate,
        auth_required=True,
    )


async def main():
    server = await asyncio.get_running_loop().create_server(factory, "127.0.0.1", int(port))
    await server.serve_forever()


asyncio.run(main())
