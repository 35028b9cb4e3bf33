package io.sdds.core.netty;

import io.sdds.core.node.NodeAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.Optional;

/**
 * A configured group of IP multicast: {@code 239.255.74.74:7474}, or {@code 239.255.74.74:7474@eth1} with the interface
 * to use. Without an interface the first one counts that is up and can multicast; the loopback is the last choice.
 */
public record MulticastGroup(InetSocketAddress address, NetworkInterface over) {
    /**
     * Reads a group.
     *
     * @throws IllegalArgumentException with a message that tells the fault
     */
    public static MulticastGroup parse(String text) {
        int at = text.indexOf('@');
        InetSocketAddress address = address(at < 0 ? text : text.substring(0, at));
        try {
            return new MulticastGroup(address, at < 0 ? first(text) : named(text.substring(at + 1)));
        } catch (SocketException e) {
            throw new IllegalArgumentException("multicast: no interface can be looked at: " + e.getMessage(), e);
        }
    }

    private static InetSocketAddress address(String text) {
        NodeAddress parsed;
        try {
            parsed = NodeAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("multicast: '" + text + "' is not GROUP:PORT", e);
        }
        InetAddress group = group(text, parsed.host());
        return new InetSocketAddress(group, parsed.port());
    }

    private static InetAddress group(String text, String host) {
        try {
            InetAddress group = InetAddress.getByName(host);
            if (group.isMulticastAddress()) {
                return group;
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("multicast: '" + text + "' is not GROUP:PORT", e);
        }
        throw new IllegalArgumentException(
                "multicast: '" + text + "' is no multicast group; 239.255.74.74:7474 is one");
    }

    private static NetworkInterface named(String name) throws SocketException {
        NetworkInterface found = NetworkInterface.getByName(name);
        if (found == null) {
            throw new IllegalArgumentException("multicast: there is no interface '" + name + "'");
        }
        return found;
    }

    private static NetworkInterface first(String text) throws SocketException {
        Optional<NetworkInterface> found = NetworkInterface.networkInterfaces()
                .filter(MulticastGroup::isOfUse)
                .min(Comparator.comparing(MulticastGroup::isLoopback).thenComparing(NetworkInterface::getIndex));
        return found.orElseThrow(() ->
                new IllegalArgumentException("multicast: no interface can multicast; say one: '" + text + "@NAME'"));
    }

    private static boolean isOfUse(NetworkInterface each) {
        try {
            return each.isUp() && each.supportsMulticast();
        } catch (SocketException e) {
            return false;
        }
    }

    private static boolean isLoopback(NetworkInterface each) {
        try {
            return each.isLoopback();
        } catch (SocketException e) {
            return false;
        }
    }
}
