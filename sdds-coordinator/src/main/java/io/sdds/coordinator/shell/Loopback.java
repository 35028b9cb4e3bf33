package io.sdds.coordinator.shell;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Tells whether an address is a loopback address. */
final class Loopback {
    private Loopback() {}

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
