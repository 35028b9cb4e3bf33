package io.sdds.cli.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** An address of the form host:port, with an IPv6 host in brackets. */
public record HostPort(String host, int port) {
    private static final int PORT_MAX = 65_535;

    /**
     * Reads an address.
     *
     * @param what name of the setting, for the message
     * @throws IllegalArgumentException if a value is wrong; the message names the setting, the value and the expected
     *     values
     */
    public static HostPort parse(String what, String text) {
        int colon = text.lastIndexOf(':');
        String host = colon <= 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        String digits = text.substring(colon + 1);
        boolean isPort = digits.matches("\\d{1,5}") && Integer.parseInt(digits) <= PORT_MAX;
        if (host.isEmpty() || !isPort) {
            throw new IllegalArgumentException(
                    what + ": '" + text + "' is not host:port with a port from 0 to " + PORT_MAX);
        }
        return new HostPort(host, Integer.parseInt(digits));
    }

    /** Whether only this machine can reach the address. An unknown host is not loopback. */
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
