package io.sdds.coordinator.shell;

/** An address in text form: host:port, an IPv6 host in brackets. */
record HostPort(String host, int port) {
    private static final int PORT_MAX = 65_535;

    /** @throws IllegalArgumentException if the text is no address; the message names {@code what} */
    static HostPort parse(String what, String text) {
        int colon = text.lastIndexOf(':');
        String host = colon <= 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port >= 0 && port <= PORT_MAX) {
                return new HostPort(host, port);
            }
        } catch (NumberFormatException e) {
            // the exception below names the text
        }
        throw new IllegalArgumentException(
                what + " must be host:port with a port from 0 to " + PORT_MAX + ", not '" + text + "'");
    }

    HostPort withPort(int other) {
        return new HostPort(host, other);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
