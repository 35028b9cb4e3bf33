package io.sdds.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
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
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * docs/protocol.md lists every opcode and status. docs/control-messages.txt lists every control message as it is on the
 * wire; {@code -Dsdds.docs.write=true} writes it.
 */
class ProtocolPageTest {
    private static final Path DOCS =
            Path.of(System.getProperty("sdds.home", "..")).resolve("docs");
    private static final Path PAGE = DOCS.resolve("protocol.md");
    private static final Path MESSAGES = DOCS.resolve("control-messages.txt");

    private final Map<Class<?>, String> types = new LinkedHashMap<>();

    @Test
    void listsEveryControlMessageWithItsCodeAndComponents() throws IOException {
        String expected = controlMessages();
        if (Boolean.getBoolean("sdds.docs.write")) {
            Files.writeString(MESSAGES, expected);
        }
        assertThat(Files.readString(MESSAGES))
                .as("docs/control-messages.txt, which -Dsdds.docs.write=true writes")
                .isEqualTo(expected);
    }

    @Test
    void listsEveryOpcodeOnce() throws Exception {
        String page = Files.readString(PAGE);
        String list = page.substring(page.indexOf("## Links and frames"), page.indexOf("### Hello"));
        for (Field field : constants(Opcode.class, byte.class)) {
            assertThat(Pattern.compile("\\b" + field.getByte(null) + " " + field.getName() + "\\b")
                            .matcher(list)
                            .results())
                    .as(field.getName())
                    .hasSize(1);
        }
    }

    @Test
    void listsEveryStatusOnce() throws Exception {
        List<String> lines = Files.readAllLines(PAGE);
        for (Field field : constants(Status.class, byte.class)) {
            String item = "- " + field.getByte(null) + " " + field.getName();
            assertThat(lines)
                    .as(field.getName())
                    .filteredOn(line -> line.equals(item) || line.startsWith(item + ":"))
                    .hasSize(1);
        }
    }

    private String controlMessages() {
        List<Class<? extends ControlMessage>> messages = ControlFrame.types();
        List<String> lines = new ArrayList<>();
        lines.add("Written by ProtocolPageTest. docs/protocol.md (Control messages) tells how to read it;");
        lines.add("what a message and its components mean says the Javadoc of ControlMessage.");
        lines.add("");
        lines.add("Messages: code, name (who sends it): components");
        lines.add("");
        for (int k = 0; k < messages.size(); k++) {
            Class<? extends ControlMessage> message = messages.get(k);
            lines.add(k + 1 + " " + message.getSimpleName() + " (" + family(message) + "): " + components(message));
        }
        lines.add("");
        lines.add("Types: components, or constants");
        lines.add("");
        types.forEach((type, components) -> lines.add(type.getSimpleName() + ": " + components));
        return String.join("\n", lines) + "\n";
    }

    private static String family(Class<? extends ControlMessage> message) {
        return Arrays.stream(message.getInterfaces())
                .map(Class::getSimpleName)
                .filter(name -> !name.equals("ControlMessage"))
                .map(name -> switch (name) {
                    case "ClientRequest" -> "request of a client";
                    case "CoordinatorRequest" -> "request to a coordinator";
                    case "BrickRequest" -> "request of a brick to a brick";
                    default -> name.toLowerCase(Locale.ROOT);
                })
                .collect(Collectors.joining(", "));
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
