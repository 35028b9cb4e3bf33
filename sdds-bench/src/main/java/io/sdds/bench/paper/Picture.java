package io.sdds.bench.paper;

import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws findings as a picture: the panels side by side under one title. */
public final class Picture {
    private static final String FORMAT = "png";
    private static final int PANEL_WIDTH = 560;
    private static final int PANEL_HEIGHT = 420;
    private static final int COLUMNS = 3;
    private static final int HEAD_HEIGHT = 64;
    private static final int MARGIN = 16;
    private static final int LEGEND_BELOW_MAX = 3;
    private static final int LEGEND_LINE = 26;
    private static final double NEAR_ZERO = 0.05;
    private static final int MARKED_POINTS_MAX = 20;
    private static final Color INK = new Color(0x222222);
    private static final Color FAINT = new Color(0x666666);
    private static final Color GRID = new Color(0xdddddd);
    private static final Color OF_PAPER = new Color(0xd62728);
    private static final Color OF_REFERENCE = new Color(0x888888);
    private static final Color[] OURS = {
        new Color(0x1f5fa8),
        new Color(0x2ca02c),
        new Color(0x9467bd),
        new Color(0x17a2b8),
        new Color(0xe0a000),
        new Color(0x8c564b),
        new Color(0xd06fb0),
        new Color(0x555555)
    };
    private static final BasicStroke LINE = new BasicStroke(2f);
    private static final BasicStroke DASHES =
            new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, new float[] {7, 5}, 0);

    private Picture() {}

    /** The file name of the picture of an experiment. */
    public static String fileName(String experiment) {
        return experiment + "." + FORMAT;
    }

    /**
     * Draws findings into a file.
     *
     * @throws IOException if the file cannot be written, or this Java has no fonts
     */
    public static void draw(Findings findings, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        BufferedImage image;
        try {
            image = image(findings);
        } catch (Error e) { // Java throws an Error if libraries or fonts for text are missing
            throw new IOException("this Java cannot draw: " + e, e);
        }
        try (var out = Files.newOutputStream(file)) {
            if (!ImageIO.write(image, FORMAT, out)) {
                throw new IOException("this Java cannot write " + FORMAT);
            }
        }
    }

    private static BufferedImage image(Findings findings) {
        int count = findings.panels().size();
        int columns = count == 4 ? 2 : Math.min(COLUMNS, count);
        int rows = (count + columns - 1) / columns;
        int width = columns * PANEL_WIDTH + 2 * MARGIN;
        BufferedImage image =
                new BufferedImage(width, rows * PANEL_HEIGHT + HEAD_HEIGHT + MARGIN, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.setColor(Color.WHITE);
        canvas.fillRect(0, 0, image.getWidth(), image.getHeight());
        canvas.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        write(canvas, findings.title(), font(Font.BOLD, 20), INK, 28);
        write(canvas, findings.setting(), font(Font.PLAIN, 13), FAINT, 52);
        for (int k = 0; k < count; k++) {
            BufferedImage chart =
                    BitmapEncoder.getBufferedImage(chart(findings.panels().get(k)));
            int x = MARGIN + k % columns * PANEL_WIDTH;
            canvas.drawImage(chart, x, HEAD_HEIGHT + k / columns * PANEL_HEIGHT, null);
        }
        canvas.dispose();
        return image;
    }

    /** Draws a line of text, in a smaller font if the text is too long. */
    private static void write(Graphics2D canvas, String text, Font font, Color colour, int baseline) {
        canvas.setColor(colour);
        canvas.setFont(font);
        int room = canvas.getDeviceConfiguration().getBounds().width - 2 * MARGIN;
        double scale = Math.min(1, (double) room / canvas.getFontMetrics().stringWidth(text));
        canvas.setFont(font.deriveFont((float) (font.getSize() * scale)));
        canvas.drawString(text, MARGIN, baseline);
    }

    private static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }

    private static XYChart chart(Panel panel) {
        XYChart chart = new XYChartBuilder()
                .width(PANEL_WIDTH)
                .height(PANEL_HEIGHT)
                .title(panel.title())
                .xAxisTitle(panel.x().label())
                .yAxisTitle(panel.y().label())
                .build();
        style(chart.getStyler(), panel);
        int ours = 0;
        for (Curve curve : panel.curves()) {
            List<Point> points = shown(curve.points(), panel);
            if (!points.isEmpty()) {
                XYSeries series = chart.addSeries(
                        curve.name(),
                        points.stream().mapToDouble(Point::x).toArray(),
                        points.stream().mapToDouble(Point::y).toArray());
                style(series, curve, points.size(), ours);
                ours += curve.source() == Source.OURS ? 1 : 0;
            }
        }
        return chart;
    }

    /** Logarithms are of positive numbers only. */
    private static List<Point> shown(List<Point> points, Panel panel) {
        return points.stream()
                .filter(point -> isShown(point.x(), panel.x()) && isShown(point.y(), panel.y()))
                .toList();
    }

    private static boolean isShown(double value, Axis axis) {
        return Double.isFinite(value) && (!axis.logarithmic() || value > 0);
    }

    private static void style(XYStyler styler, Panel panel) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(GRID);
        styler.setChartTitleBoxVisible(false);
        styler.setChartTitleFont(font(Font.BOLD, 15));
        styler.setAxisTitleFont(font(Font.PLAIN, 13));
        styler.setAxisTickLabelsFont(font(Font.PLAIN, 12));
        styler.setLegendFont(font(Font.PLAIN, 12));
        styler.setLegendBorderColor(Color.WHITE);
        boolean many = panel.curves().size() > LEGEND_BELOW_MAX;
        styler.setLegendPosition(many ? LegendPosition.OutsideE : LegendPosition.OutsideS);
        styler.setLegendLayout(many ? LegendLayout.Vertical : LegendLayout.Horizontal);
        styler.setLegendSeriesLineLength(LEGEND_LINE);
        styler.setMarkerSize(7);
        styler.setLocale(Locale.ROOT);
        styler.setXAxisLogarithmic(panel.x().logarithmic());
        styler.setYAxisLogarithmic(panel.y().logarithmic());
        styler.setXAxisTickLabelsFormattingFunction(Comparison::number);
        styler.setYAxisTickLabelsFormattingFunction(Comparison::number);
        if (!panel.y().logarithmic()) {
            styler.setYAxisMin(0.0);
        }
        if (!panel.x().logarithmic() && beginsNearZero(panel)) {
            styler.setXAxisMin(0.0);
        }
    }

    private static boolean beginsNearZero(Panel panel) {
        DoubleSummaryStatistics x = panel.curves().stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(Point::x)
                .summaryStatistics();
        return x.getMin() >= 0 && x.getMin() < NEAR_ZERO * x.getMax();
    }

    private static void style(XYSeries series, Curve curve, int points, int ours) {
        boolean single = points == 1;
        Color colour = switch (curve.source()) {
            case OURS -> OURS[ours % OURS.length];
            case PAPER -> OF_PAPER;
            case REFERENCE -> OF_REFERENCE;
        };
        Marker marker = switch (curve.source()) {
            case OURS -> points <= MARKED_POINTS_MAX ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE;
            case PAPER -> SeriesMarkers.DIAMOND;
            case REFERENCE -> SeriesMarkers.NONE;
        };
        series.setLineColor(colour);
        series.setMarkerColor(colour);
        series.setMarker(single ? SeriesMarkers.DIAMOND : marker);
        series.setLineStyle(curve.source() == Source.OURS ? LINE : DASHES);
    }
}
