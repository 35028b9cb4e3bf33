package io.sdds.testkit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that is not ours: it does with its socket what it likes. */
final class RawClient implements AutoCloseable {
    private static final int FRAME_HEADER = 8;

    private final Socket socket = new Socket();
    private final DataInputStream in;

    /** Connects to a brick and says hello. */
    RawClient(String address, Hello.Role role) throws IOException {
        this(address, role, "raw");
    }

    /** Connects to a brick and says hello by a name. */
    RawClient(String address, Hello.Role role, String name) throws IOException {
        int colon = address.lastIndexOf(':');
        socket.setTcpNoDelay(true);
        socket.setReceiveBufferSize(64 << 10);
        socket.connect(
                new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 1 << 16));
        ByteBuf hello = Unpooled.buffer();
        HelloFrame.write(hello, Hello.of(role, name, 0).withFeatures(0));
        send(hello);
    }

    /** So many gets of a key, with correlation ids from {@code first} on. */
    static ByteBuf gets(int table, String key, int first, int count) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        ByteBuf frames = Unpooled.buffer();
        for (int k = first; k < first + count; k++) {
            RequestFrame.writeHeader(
                    frames, RequestFrame.READ_BODY + bytes.length, Opcode.GET, 0, k, table, 0, 60_000, 0, bytes.length);
            frames.writeBytes(bytes);
        }
        return frames;
    }

    /** So many times the same control request, with correlation ids from {@code first} on. */
    static ByteBuf controls(ControlMessage message, int first, int count) {
        ByteBuf frames = Unpooled.buffer();
        for (int k = first; k < first + count; k++) {
            ControlFrame.write(frames, ControlFrame.REQUEST, k, message);
        }
        return frames;
    }

    /** Blocks while the other end does not read. */
    void send(ByteBuf frames) throws IOException {
        frames.readBytes(socket.getOutputStream(), frames.readableBytes());
    }

    /** Waits for the next frame; null at the end of the connection. */
    ByteBuf receive(int patienceMillis) throws IOException {
        socket.setSoTimeout(patienceMillis);
        try {
            int length = Integer.reverseBytes(in.readInt());
            ByteBuf frame = Unpooled.buffer(length).writeIntLE(length);
            byte[] rest = new byte[length - Integer.BYTES];
            in.readFully(rest);
            return frame.writeBytes(rest);
        } catch (java.io.EOFException | java.net.SocketException e) {
            return null;
        }
    }

    /** Reads the next frame into a buffer that holds any, at little cost; its opcode and the code of a control message are at their places. False at the end of the connection. */
    boolean read(byte[] frame) throws IOException {
        try {
            int length = Integer.reverseBytes(in.readInt());
            in.readFully(frame, Integer.BYTES, length - Integer.BYTES);
            return true;
        } catch (java.io.EOFException | java.net.SocketException e) {
            return false;
        }
    }

    static byte opcode(ByteBuf frame) {
        return frame.getByte(Integer.BYTES);
    }

    /** What a goodbye says. */
    static String text(ByteBuf frame) {
        return frame.toString(FRAME_HEADER, frame.readableBytes() - FRAME_HEADER, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
