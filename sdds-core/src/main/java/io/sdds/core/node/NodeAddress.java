package io.sdds.core.node;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The address at which a brick or coordinator listens: {@code host:port}, an IPv6 host in brackets. */
public record NodeAddress(String host, int port) {
    private static final int PORT_MAX = 65_535;
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]{1,255}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9._-]+)?");

    /** @throws IllegalArgumentException that quotes the text and names the fault */
    public static NodeAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0 || text.endsWith("]")) {
            throw malformed(text, "the port is missing");
        }
        int port = port(text.substring(colon + 1));
        if (port == 0) {
            throw malformed(text, "the port must be a number from 1 to " + PORT_MAX);
        }
        String written = text.substring(0, colon);
        boolean bracketed = written.startsWith("[") && written.endsWith("]");
        String host = bracketed ? written.substring(1, written.length() - 1) : written;
        String problem = hostProblem(host, bracketed);
        if (problem != null) {
            throw malformed(text, problem);
        }
        return new NodeAddress(host, port);
    }

    /** The port; 0 when the digits are no port. */
    private static int port(String digits) {
        int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        return port <= PORT_MAX ? port : 0;
    }

    private static @Nullable String hostProblem(String host, boolean bracketed) {
        if (host.isEmpty()) {
            return "the host is missing";
        }
        if (bracketed) {
            return IPV6.matcher(host).matches() ? null : "the brackets hold no IPv6 address";
        }
        if (IPV6.matcher(host).matches()) {
            return "an IPv6 address is written in brackets";
        }
        return NAME.matcher(host).matches() ? null : "'" + host + "' is not a host name";
    }

    private static IllegalArgumentException malformed(String text, String problem) {
        return new IllegalArgumentException("'" + text + "' is not host:port: " + problem);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
