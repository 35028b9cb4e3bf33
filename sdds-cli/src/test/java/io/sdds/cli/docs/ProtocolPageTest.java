package io.sdds.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlFrame;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/protocol.md lists every opcode, status and control message as it is on the wire. */
class ProtocolPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("sdds.home", "..")).resolve("docs/protocol.md");

    private final Map<Class<?>, String> types = new LinkedHashMap<>();

    @Test
    void listsEveryMessageWithItsCodeAndComponents() throws IOException {
        List<Class<? extends io.sdds.core.control.ControlMessage>> messages = ControlFrame.types();
        List<String> rows = new ArrayList<>();
        for (int k = 0; k < messages.size(); k++) {
            rows.add("| " + (k + 1) + " | " + messages.get(k).getSimpleName() + " | " + components(messages.get(k))
                    + " |");
        }
        types.forEach((type, components) -> rows.add("| " + type.getSimpleName() + " | " + components + " |"));
        assertThat(Files.readAllLines(PAGE)).as("rows of docs/protocol.md").containsAll(rows);
    }

    @Test
    void listsEveryOpcodeAndEveryStatusOnce() throws Exception {
        List<String> rows = new ArrayList<>();
        for (Field field : constants(Opcode.class, byte.class)) {
            rows.add("| " + field.getByte(null) + " | " + field.getName() + " |");
        }
        for (Field field : constants(Status.class, byte.class)) {
            rows.add("| " + field.getByte(null) + " " + field.getName() + " |");
        }
        List<String> lines = Files.readAllLines(PAGE);
        assertThat(rows)
                .as("rows of docs/protocol.md")
                .allSatisfy(row -> assertThat(lines)
                        .filteredOn(line -> line.startsWith(row))
                        .hasSize(1));
    }

    private static List<Field> constants(Class<?> holder, Class<?> type) {
        return Arrays.stream(holder.getFields())
                .filter(field -> field.getType() == type)
                .toList();
    }

    private String components(Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).map(this::component).collect(Collectors.joining(", "));
    }

    private String component(RecordComponent component) {
        return component.getName() + " " + encoding(component.getGenericType());
    }

    private String encoding(Type type) {
        if (type instanceof ParameterizedType list) {
            return "list of " + encoding(list.getActualTypeArguments()[0]);
        }
        Class<?> raw = (Class<?>) type;
        if (!raw.isRecord() && !raw.isEnum()) {
            return scalar(raw);
        }
        if (!types.containsKey(raw)) {
            types.put(raw, ""); // its place in the order
            types.put(raw, raw.isEnum() ? constants(raw) : components(raw));
        }
        return raw.getSimpleName();
    }

    private static String scalar(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "int", "Integer" -> "i32";
            case "long", "Long" -> "i64";
            case "boolean", "byte" -> "u8";
            case "String" -> "text";
            case "byte[]" -> "bytes";
            default -> throw new IllegalArgumentException("no encoding for " + type);
        };
    }

    private static String constants(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        return IntStream.range(0, constants.length - 1)
                .mapToObj(k -> k + " " + constants[k])
                .collect(Collectors.joining(", "));
    }
}
