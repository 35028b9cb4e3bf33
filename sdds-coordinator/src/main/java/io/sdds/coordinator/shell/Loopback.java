package io.sdds.coordinator.shell;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Whether an address stays on this machine. */
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
