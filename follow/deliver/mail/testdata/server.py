# A mail server of aiosmtpd that wants TLS and a password: WAY is starttls or tls, LOGIN the way in that it offers. It prints its
# port, and then what it is sent, a JSON object a line.
import asyncio, json, logging, ssl, sys, warnings
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

warnings.simplefilter("ignore")
logging.disable()
way, offered, cert, key = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(cert, key)


def say(**line):
    print(json.dumps(line), flush=True)


def check(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"rein", b"secret")
    say(mechanism=mechanism, good=good)
    return AuthResult(success=good, handled=False)


class Handler:
    async def handle_DATA(self, server, session, envelope):
        say(mail_from=envelope.mail_from, to=envelope.rcpt_tos, tls=session.ssl is not None or way == "tls", bytes=len(envelope.content))
        return "250 OK"


def make():
    hidden = {"LOGIN", "PLAIN"} - {offered}
    start = context if way == "starttls" else None
    return SMTP(Handler(), tls_context=start, require_starttls=way == "starttls", auth_required=True, authenticator=check, auth_exclude_mechanism=hidden, auth_require_tls=way == "starttls")


async def main():
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0, ssl=context if way == "tls" else None)
    say(port=server.sockets[0].getsockname()[1])
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
