package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Routing;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import io.sdds.core.model.TableKind;
import io.sdds.core.row.Schema;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the public API: the types it shows and its Javadoc. */
class PublicApiTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("sdds.home", "..")).resolve("sdds-client/src/main/java");
    private static final int LINES_MAX = 500;
    private static final int PARAMETERS_MAX = 7;

    /** The types of the model that options and results use. */
    private static final Set<Class<?>> WORDS_OF_THE_MODEL = Set.of(
            TableKind.class,
            Routing.class,
            SplitPolicy.class,
            SplitControl.class,
            Splitting.class,
            Shipping.class,
            Parity.class,
            KeySpan.class,
            Schema.class);

    /** A public or protected member that is declared in the body of a type. */
    private static final Pattern MEMBER = Pattern.compile("^(?: {4}| {8})(?:public|protected) .*");

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("package-info.java"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private static Class<?> load(Path source) {
        String name = SOURCES.relativize(source).toString().replace(".java", "").replace('/', '.');
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type), Arrays.stream(type.getDeclaredClasses()).flatMap(PublicApiTest::withNested));
    }

    private static boolean isInternal(Class<?> type) {
        return type.getName().startsWith("io.sdds.client.internal.");
    }

    private static List<Class<?>> publicTypes() throws IOException {
        return sources().stream()
                .map(PublicApiTest::load)
                .filter(type -> !isInternal(type))
                .filter(type -> Modifier.isPublic(type.getModifiers()))
                .flatMap(PublicApiTest::withNested)
                .filter(type -> isVisible(type.getModifiers()))
                .collect(Collectors.toList());
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static boolean isForApplications(Class<?> type) {
        return type.isPrimitive()
                || type.getName().startsWith("java.")
                || type.getName().startsWith("io.sdds.client.")
                        && !isInternal(type)
                        && Modifier.isPublic(type.getModifiers())
                || WORDS_OF_THE_MODEL.contains(type);
    }

    private static Stream<Class<?>> classes(Type type) {
        if (type instanceof Class<?> named) {
            return Stream.of(named.isArray() ? elementType(named) : named);
        }
        if (type instanceof ParameterizedType generic) {
            return Stream.concat(
                    classes(generic.getRawType()),
                    Arrays.stream(generic.getActualTypeArguments()).flatMap(PublicApiTest::classes));
        }
        if (type instanceof WildcardType wildcard) {
            return Stream.concat(Arrays.stream(wildcard.getLowerBounds()), Arrays.stream(wildcard.getUpperBounds()))
                    .flatMap(PublicApiTest::classes);
        }
        return type instanceof GenericArrayType array ? classes(array.getGenericComponentType()) : Stream.of();
    }

    private static Class<?> elementType(Class<?> array) {
        return array.isArray() ? elementType(array.getComponentType()) : array;
    }

    private static Stream<Type> types(Executable member) {
        return Stream.of(member.getGenericParameterTypes(), member.getGenericExceptionTypes())
                .flatMap(Arrays::stream);
    }

    private static List<String> foreign(Class<?> type) {
        List<String> found = new ArrayList<>();
        Stream.concat(Stream.of(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()))
                .flatMap(PublicApiTest::classes)
                .forEach(each -> add(found, type.getName(), each));
        for (Method method : type.getDeclaredMethods()) {
            visible(found, type, method, Stream.concat(types(method), Stream.of(method.getGenericReturnType())));
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            visible(found, type, constructor, types(constructor));
        }
        for (Field field : type.getDeclaredFields()) {
            visible(found, type, field, Stream.of(field.getGenericType()));
        }
        return found;
    }

    private static void visible(List<String> found, Class<?> type, Member member, Stream<Type> types) {
        if (isVisible(member.getModifiers()) && !member.isSynthetic()) {
            types.flatMap(PublicApiTest::classes)
                    .forEach(each -> add(found, type.getName() + "." + member.getName(), each));
        }
    }

    private static void add(List<String> found, String where, Class<?> type) {
        if (!isForApplications(type)) {
            found.add(where + " shows " + type.getName());
        }
    }

    @Test
    void publicSignaturesShowNoInternalsAndNoRecordsOfTheWire() throws IOException {
        List<Class<?>> types = publicTypes();
        assertThat(types).contains(SddsClient.class, Table.class, ClientSettings.Builder.class, ClusterStatus.class);
        assertThat(types.stream().flatMap(type -> foreign(type).stream())).isEmpty();
    }

    /** Two leaks that the check must find, so that the test above can fail. */
    public static final class Leaky {
        public List<io.sdds.core.control.ControlMessage.ClusterStatus> status() {
            return List.of();
        }

        protected void begin(io.sdds.client.internal.ClientRuntime[] runtimes) {}
    }

    @Test
    void leaksAreFound() {
        assertThat(foreign(Leaky.class))
                .hasSize(2)
                .anyMatch(text -> text.endsWith("status shows io.sdds.core.control.ControlMessage$ClusterStatus"))
                .anyMatch(text -> text.endsWith("begin shows io.sdds.client.internal.ClientRuntime"));
    }

    @Test
    void everyPublicMemberHasJavadoc() throws IOException {
        List<String> bare = new ArrayList<>();
        for (Class<?> type : publicTypes()) {
            if (type.getEnclosingClass() == null) {
                bare.addAll(undocumented(SOURCES.resolve(type.getName().replace('.', '/') + ".java")));
            }
        }
        assertThat(bare).isEmpty();
    }

    private static List<String> undocumented(Path source) throws IOException {
        List<String> bare = new ArrayList<>();
        List<String> lines = Files.readAllLines(source);
        for (int k = 1; k < lines.size(); k++) {
            String line = lines.get(k);
            if (isMember(line) && !isDocumented(lines, k)) {
                bare.add(source.getFileName() + ":" + (k + 1) + " " + line.trim());
            }
        }
        return bare;
    }

    /** Compact constructors are documented by their record. */
    private static boolean isMember(String line) {
        return MEMBER.matcher(line).matches() && !line.matches("\\s*public \\w+ \\{");
    }

    private static boolean isDocumented(List<String> lines, int at) {
        int before = at - 1;
        while (lines.get(before).trim().startsWith("@")) {
            before--;
        }
        return lines.get(before).trim().endsWith("*/")
                || lines.subList(before + 1, at).stream().anyMatch(line -> line.contains("@Override"));
    }

    @Test
    void noSourceIsLong() throws IOException {
        for (Path source : sources()) {
            assertThat(Files.readAllLines(source)).as(source.toString()).hasSizeLessThanOrEqualTo(LINES_MAX);
        }
    }

    @Test
    void signaturesAreShortExceptOfRecords() throws IOException {
        List<String> tooMany = sources().stream()
                .map(PublicApiTest::load)
                .flatMap(PublicApiTest::withNested)
                .flatMap(type -> Stream.concat(
                        Arrays.stream(type.getDeclaredMethods()),
                        type.isRecord() ? Stream.of() : Arrays.stream(type.getDeclaredConstructors())))
                .filter(member -> !member.isSynthetic() && member.getParameterCount() > PARAMETERS_MAX)
                .map(Executable::toString)
                .collect(Collectors.toList());
        assertThat(tooMany).isEmpty();
    }
}
